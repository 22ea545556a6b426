import Gathering
import Ground
import Machine
import Values

/// Reads whether the machine has external power: the same for every battery.
final class ExternalPowerReader: InstanceReader {
  /// How long a list of supplies is reused for repeated requests, in nanoseconds.
  private static let validity: Int64 = 1_000_000_000
  private static let noSupply = Outcome.noData(
    "no supply from outside is listed, and no battery is charging or discharging")

  private let machine: Machine
  private var names: [String]?
  private var listedAt: Int64 = .min
  private var supplies: [ParsedFile] = []
  /// The states of the machine's batteries, where no supply is listed.
  private var states: [ParsedFile] = []
  /// What the last state that told was read from.
  private var telling: ParsedFile?

  private let daemon: PowerDaemon
  /// The paths of UPower's supplies that matter here, in order, and of which list they are.
  private var daemonPaths: [String] = []
  private var daemonListing: UInt64?

  init(_ machine: Machine) {
    self.machine = machine
    daemon = PowerDaemon(watchedOn: machine)
    daemon.await(within: 50_000_000)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    update(request.scope)
    telling = nil
    guard !supplies.isEmpty else {
      let devices = listedDevices
      reading[Battery.Field.externalPower] = devices.externalPower ?? guess(devices)
      return
    }
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
    reading[Battery.Field.externalPower] = answer
  }

  /// External power by the batteries' states (catalogue 4.13): if one is charging there is external
  /// power; if none is and one is discharging, there is none.
  private func guess(_ devices: [PowerDevice]) -> Outcome {
    let words = states.map { ($0.read().text, $0) }
    let daemonWords = devices.states(but: names ?? [])
    for (word, isOn) in [("charging", true), ("discharging", false)] {
      if let (_, file) = words.first(where: { $0.0 == word }) {
        telling = file
        return .ok(.bool(isOn), lowAccuracy: true)
      }
      if daemonWords.contains(word) { return .ok(.bool(isOn), lowAccuracy: true) }
    }
    return Self.noSupply
  }

  /// UPower's supplies from outside and batteries. Which there are is as it was, unless the service
  /// lists others (`BusView.listing`).
  private var listedDevices: [PowerDevice] {
    guard let view = daemon.view else { return [] }
    if view.listing != daemonListing {
      daemonPaths = PowerDaemon.devices(in: view).filter { $0.isLine || $0.isBattery }.map(\.path)
      daemonListing = view.listing
    }
    return daemonPaths.compactMap { path in
      view.objects[path].map { PowerDevice(path: path, object: $0) }
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard index == Battery.Field.externalPower.rawValue else { return nil }
    if let telling { return telling.raw }
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
    let all = PowerSupply.all(on: machine.files).filter { $0.scope == .system }
    supplies = all.filter { $0.type == .external }.map { file("online", of: $0, .isOn) }
    states =
      supplies.isEmpty ? Self.batteries(of: all).map { file("status", of: $0, .batteryState) } : []
  }

  /// The batteries that supply the machine: its own, or a UPS if there are none.
  private static func batteries(of supplies: [PowerSupply]) -> [PowerSupply] {
    let listed = supplies.filter(\.isListed)
    let batteries = listed.filter { $0.type == .battery }
    return batteries.isEmpty ? listed : batteries
  }

  private func file(_ name: String, of supply: PowerSupply, _ rule: TextRule) -> ParsedFile {
    ParsedFile("\(Battery.folder)/\(supply.name)/\(name)", rule, in: machine.files)
  }
}

extension TextRule {
  /// The kernel's word for the state of a battery.
  static let batteryState = word(["unknown": "unknown"])

  /// 1 for on, and 2 for on at a voltage of its own choice.
  fileprivate static let isOn = integer().map { value in
    guard case .int(let number) = value else { return .ok(value) }
    return .ok(.bool(number >= 1))
  }
}
