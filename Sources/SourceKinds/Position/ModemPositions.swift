import Gathering
import Machine
import Values

/// The position of a modem's satellite receiver: the answer of `GetLocation`.
struct ModemPosition {
  /// The kinds of location used here, as keys of ModemManager's dictionaries and as bits.
  private static let raw: Int64 = 2
  private static let nmea: Int64 = 4

  /// The bits of `Capabilities` and `Enabled` that stand for a receiver.
  private static let bits = raw | nmea

  /// Whether a modem has a receiver; true if it does not report that.
  static func isReceiver(_ modem: Modem) -> Bool {
    guard modem.object.interfaces[ModemDaemon.location] != nil else { return false }
    let bits = modem.object[ModemDaemon.location, "Capabilities"]?.integer
    return bits.map { $0 & Self.bits != 0 } ?? true
  }

  /// The obstacle to querying it; nil if there is none.
  ///
  /// Turning its receiver on changes the modem, which is never done implicitly.
  static func obstacle(to modem: Modem, named instance: Instance) -> Availability? {
    var own = instance.availability
    own.backend = ModemBackend.word
    if own.group != .available { return own }
    let enabled = modem.object[ModemDaemon.location, "Enabled"]?.integer
    guard let enabled, enabled & bits == 0 else { return nil }
    return Availability(
      .poweredOff, backend: ModemBackend.word, detail: "the modem's receiver is turned off",
      remedy: "mmcli -m any --location-enable-gps-raw --location-enable-gps-nmea")
  }

  /// The reports in an answer, in order; a report without a fix if it has no position.
  static func reports(
    _ answer: BusValue?, _ decoder: inout NMEADecoder, at now: Int64
  ) -> [PositionReport] {
    let pairs = answer?.pairs ?? []
    var values: [Int64: BusValue] = [:]
    for pair in pairs {
      if let key = pair.key.integer { values[key] = pair.value.plain }
    }
    var found: [PositionReport] = []
    let text = values[nmea]?.text ?? ""
    for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      if let report = decoder.report(Array(line), at: now) { found.append(report) }
    }
    // The NMEA sentences have more data than the other form, which is made from them.
    if found.contains(where: { ($0.mode ?? 0) >= 2 }) { return found }
    return found + [report(values[raw])]
  }

  private static func report(_ value: BusValue?) -> PositionReport {
    guard let value, let members = value.named else {
      return PositionReport(.named(nil), mode: 1)
    }
    var report = PositionReport(.named(clock(members["utc-time"])), mode: 1)
    let numbers: [(GPSField, String)] = [
      (.latitude, "latitude"), (.longitude, "longitude"), (.altitudeMsl, "altitude"),
    ]
    for (field, name) in numbers {
      guard let value = members[name] else { continue }
      let raw = RawValue("\(value)".utf8, place: "\(ModemDaemon.location).gps-raw.\(name)")
      // The lowest number means "unknown".
      let isUnknown = value.double.map { $0 <= -1.797e308 } ?? false
      report.values[field] =
        isUnknown
        ? ReceiverValue(.noData("reported as unknown"), raw: raw)
        : value.double.map { ReceiverValue($0, of: field, raw: raw) }
          ?? ReceiverValue(.of(value, name) { _ in nil }, raw: raw)
    }
    let isPlace = [GPSField.latitude, .longitude].allSatisfy { field in
      report.values[field].map { $0.outcome.status != .noData } ?? false
    }
    if isPlace { report.mode = report.values[.altitudeMsl]?.outcome.status == .ok ? 3 : 2 }
    return report
  }

  /// The time of day, which names the moment; without its day it is no time.
  private static func clock(_ value: BusValue?) -> Int64? {
    guard let text = value?.text.map({ Array($0.utf8)[...] }), text.count >= 6,
      let hour = text.prefix(2).decimal, let minute = text.dropFirst(2).prefix(2).decimal,
      let second = text.dropFirst(4).prefix(2).decimal
    else { return nil }
    return TimeText.nanoseconds(
      hour: hour, minute: minute, second: second, fraction: text.dropFirst(6))
  }
}

/// ModemManager as a way to a position: the receivers of modems.
struct ModemBackend: PositionBackend {
  /// The word for it in values and identifiers.
  static let word = "modem"

  private let machine: Machine
  private let own: ModemLink

  /// `notices` announce the reports of the modems.
  init(on machine: Machine, bus: any MessageBus, notices: (any ChangeNotices)?) {
    self.machine = machine
    own = ModemLink(on: machine, bus: bus, notices: notices)
  }

  var link: any PositionLink { own }
  var unasked: Availability { .ready(Self.word) }
  var empty: Availability { Self.none }

  static let none = Availability(
    .noHardware, backend: word, detail: "no modem has a receiver of satellite signals")

  private var view: BusView? { machine.view(of: ModemDaemon.service) }

  var cause: PositionCause {
    PositionCause(devices: receivers.map(\.modem.path), owner: view?.owner)
  }

  private var receivers: [(modem: Modem, instance: Instance)] {
    Self.receivers(in: view, on: machine)
  }

  /// The modems with a receiver, and their names (catalogue 4.5).
  static func receivers(
    in view: BusView?, on machine: Machine
  ) -> [(modem: Modem, instance: Instance)] {
    let modems = Modem.all(in: view).filter(ModemPosition.isReceiver)
    let instances = modems.map { $0.instance(on: machine) }.withDistinctNames()
    return Array(zip(modems, instances))
  }

  var presence: Availability? {
    var obstacle = Availability.obstacle(ModemDaemon.service, on: machine, view: view)
    obstacle?.backend = Self.word
    return obstacle ?? (receivers.isEmpty ? Self.none : nil)
  }

  func meaning(of code: Int32) -> Availability {
    Availability(
      .failed, backend: Self.word, detail: "ModemManager does not answer", errno: code,
      remedy: "systemctl restart \(ModemDaemon.service.unit)")
  }

  func instances() -> [Instance] {
    receivers.map { modem, known in
      instance(
        known.name, named: known.name, label: known.label,
        ModemPosition.obstacle(to: modem, named: known))
    }
  }
}
