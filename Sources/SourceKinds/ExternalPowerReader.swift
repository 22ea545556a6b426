import Gathering
import Machine

/// Tells whether the machine has power from outside: for every battery the same.
final class ExternalPowerReader: InstanceReader {
  /// How long a list of supplies is good for when somebody asks again and again.
  private static let validity: Int64 = 1_000_000_000
  private static let noSupply = Outcome.unsupported("no supply from outside is known")

  private let machine: Machine
  private var names: [String]?
  private var listedAt: Int64 = .min
  private var supplies: [KnownFile] = []

  private let daemon: PowerDaemon

  init(_ machine: Machine) {
    self.machine = machine
    daemon = PowerDaemon(watchedOn: machine)
    daemon.await(within: 50_000_000)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    update(request.scope)
    var answer = Self.noSupply
    for supply in supplies {
      let outcome = supply.read()
      if outcome.flag == true {
        answer = outcome
        break
      }
      // One that answers no counts for more than one that does not answer.
      if answer.flag == nil { answer = outcome }
    }
    reading[Battery.Field.externalPower] =
      supplies.isEmpty ? daemon.externalPower ?? answer : answer
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard index == Battery.Field.externalPower.rawValue else { return nil }
    let raws = supplies.map(\.raw)
    let on = raws.first { raw in
      raw.flatMap { NumberText.integer(NumberText.trimmed($0.bytes[...])) } ?? 0 >= 1
    }
    return on ?? raws.first ?? nil
  }

  /// Supplies come and go with docks and cables. Ticks and events always look; who asks by hand
  /// may ask thousands of times a second, and then a list of a live machine is kept for one.
  private func update(_ scope: ReadRequest.Scope) {
    let now = machine.clock.now.boot
    let isByHand = scope == .everything && machine.nature == .live
    if isByHand, names != nil, now >= listedAt, now - listedAt < Self.validity { return }
    listedAt = now
    let present = try? machine.files.entries(of: Battery.folder)
    if let names, let present, names == present || Set(names) == Set(present) { return }
    names = present
    supplies = PowerSupply.all(on: machine.files)
      .filter { $0.type == .external && $0.scope == .system }
      .map { KnownFile("\(Battery.folder)/\($0.name)/online", .isOn, in: machine.files) }
  }
}

extension TextRule {
  /// 1 for on, and 2 for on at a voltage of its own choice.
  fileprivate static let isOn = integer().map { value in
    guard case .int(let number) = value else { return .ok(value) }
    return .ok(.bool(number >= 1))
  }
}
