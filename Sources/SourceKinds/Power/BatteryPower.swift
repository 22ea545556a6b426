import Gathering
import Machine
import Values

/// The batteries of the machine itself, together: what they supply is what the machine takes, while
/// nothing else supplies it.
final class BatteryPower: InstanceReader {
  static let backend = "power_supply"

  /// One instance where the machine has a battery in its bay.
  static func instances(on files: any FileTree) -> [Instance] {
    if batteries(on: files).isEmpty { return [] }
    let notes = ["backend": backend, "domain": PowerDomain.battery.rawValue, "coverage": "machine"]
    return [
      Instance(
        "battery", label: "Battery", availability: Availability(.available, backend: backend),
        path: Battery.folder, notes: notes)
    ]
  }

  private static func batteries(on files: any FileTree) -> [PowerSupply] {
    PowerSupply.all(on: files).filter { $0.isListed && $0.type == .battery && $0.scope == .system }
  }

  private let plan: PowerPlan
  private let readers: [BatteryReader]
  private let external: ExternalPowerReader
  private var readings: [Reading]
  private let battery = Battery()

  init(_ instance: Instance, on machine: Machine) {
    plan = PowerPlan(of: instance)
    readers = Self.batteries(on: machine.files).map {
      BatteryReader("\(Battery.folder)/\($0.name)", machine)
    }
    external = ExternalPowerReader(machine)
    readings = readers.map { _ in Reading(properties: Battery.table.count) }
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    var sum = Reading(properties: Battery.table.count, at: reading.instant)
    var part = ReadRequest(scope: .changing, allow: request.allow)
    external.read(part, into: &sum)
    part.isForAggregate = true
    for place in readers.indices { readers[place].read(part, into: &readings[place]) }
    let external = sum[Battery.Field.externalPower]
    battery.combine(readings, into: &sum)
    reading[Power.Field.power] = power(sum, external.flag)
    if request.scope == .everything {
      for (property, outcome) in plan.constants { reading[property] = outcome }
      for field in [Power.Field.energy, .limit, .limitShort, .energyRange] {
        reading.set(field, to: Self.none)
      }
    }
    if request.isForAggregate { reading.set(Power.Field.members, to: plan.id) }
  }

  /// What the batteries supply; nothing is known of it while another supply helps.
  private func power(_ sum: borrowing Reading, _ isExternal: Bool?) -> Outcome {
    guard let state = sum[Battery.Field.state].text else {
      return sum[Battery.Field.state].asMissingInput
    }
    return state == "discharging" && isExternal != true ? sum[Battery.Field.power] : Self.onSupply
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    // The sum of several comes from no single file.
    guard index == Power.Field.power.rawValue, readers.count == 1 else { return nil }
    return readers[0].raw(ofPropertyAt: Battery.Field.power.rawValue)
  }

  private static let onSupply = Outcome.noData("on external power")
  private static let none = Outcome.unsupported("a battery has none")
}
