import Gathering
import Machine
import Values

/// The signal a modem has measured for its present technology.
struct ModemSignal {
  private let technology: String?
  private let values: BusValue?

  /// The newest technology in use that has measurements: a modem on 5G may also receive LTE.
  init(_ modem: Modem) {
    let bits = modem.object[ModemDaemon.modem, "AccessTechnologies"]?.integer ?? 0
    let current = bits == 0xffff_ffff ? [] : ModemDaemon.signals.filter { $0.bits & bits != 0 }
    let measured = current.first { signal in
      guard let value = modem.object[ModemDaemon.signal, signal.name] else { return false }
      return value.pairs?.isEmpty != true
    }
    technology = (measured ?? current.first)?.name
    values = technology.flatMap { modem.object[ModemDaemon.signal, $0] }
  }

  /// Whether anything was measured.
  var isEmpty: Bool { values?.pairs?.isEmpty ?? (values == nil) }

  /// The keys of its dictionaries.
  private static let keys: [CellRadioField: String] = [
    .rssi: "rssi", .rsrp: "rsrp", .rscp: "rscp", .rsrq: "rsrq", .snr: "snr", .ecio: "ecio",
    .sinr: "sinr",
  ]

  /// The measurement of a field; nil for fields that are no measure of a signal.
  func outcome(of field: CellRadioField) -> Outcome? {
    guard let key = Self.keys[field] else { return nil }
    guard let technology else { return .noData("the technology in use is not known") }
    guard let values else { return .noData("nothing is measured of \(technology)") }
    guard let known = values.named else { return .of(values, technology) { _ in nil } }
    return .of(known[key], "\(key) of \(technology)") { value in
      // ModemManager's value for "unknown".
      value.number { number in
        number <= -Double.greatestFiniteMagnitude
          ? .noData("reported as unknown") : .ok(.double(number))
      }
    }
  }

  /// The measurement as reported.
  func raw(of field: CellRadioField) -> RawValue? {
    guard let key = Self.keys[field], let technology, let value = values?.named?[key] else {
      return nil
    }
    return RawValue("\(value)".utf8, place: "\(ModemDaemon.signal).\(technology).\(key)")
  }
}
