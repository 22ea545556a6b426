import Gathering
import Machine
import Values

/// The values of a kind's fields from a modem's own properties.
extension TelephonyModem {
  /// The value of a field; nil for fields of the cell.
  func value(of field: CellRadio.Field) -> ReportedValue? {
    switch field {
    case .state:
      let powered = object.reported(TelephonyDaemon.modem, "Powered") { _ in nil }
      return (state, powered.raw)
    case .technology: return registered("Technology", Self.technology)
    case .signalQuality:
      return registered("Strength") { value in
        value.count("Strength", in: 0...100) { .ok(.double(Double($0))) }
      }
    case .operatorName: return registered("Name") { $0.asText }
    case .operatorCode: return code
    case .mcc: return registered("MobileCountryCode") { Self.digits($0, 3...3) }
    case .mnc: return registered("MobileNetworkCode") { Self.digits($0, 2...3) }
    case .registration: return registered("Status", Self.registration)
    case .cellId:
      return registered("CellId") { Self.hexadecimal($0, "CellId", in: 0...0xFFF_FFFF) }
    case .locationArea:
      return registered("LocationAreaCode") {
        Self.hexadecimal($0, "LocationAreaCode", in: 0...0xFFFF)
      }
    case .manufacturer: return own("Manufacturer") { $0.asText }
    case .model: return own("Model") { $0.asText }
    case .imei: return own("Serial", Self.serial)
    case .sinr: return (.unsupported("oFono does not report it"), nil)
    default: return nil
    }
  }

  private func own(_ name: String, _ rule: (BusValue) -> Outcome?) -> ReportedValue {
    object.reported(TelephonyDaemon.modem, name, rule)
  }

  private func registered(_ name: String, _ rule: (BusValue) -> Outcome?) -> ReportedValue {
    if let missing = missing(TelephonyDaemon.registration) { return (missing, nil) }
    return object.reported(TelephonyDaemon.registration, name, rule)
  }

  /// Country and network code as one, if both are known.
  private var code: ReportedValue {
    let country = registered("MobileCountryCode") { Self.digits($0, 3...3) }
    let network = registered("MobileNetworkCode") { Self.digits($0, 2...3) }
    guard let first = country.outcome.text else { return country }
    guard let second = network.outcome.text else { return network }
    let place = "\(TelephonyDaemon.registration).MobileCountryCode, MobileNetworkCode"
    return (
      .ok(.string(first + second)), RawValue("\(first), \(second)".utf8, place: place)
    )
  }

  private static func digits(_ value: BusValue, _ count: ClosedRange<Int>) -> Outcome? {
    guard let outcome = value.asText, let text = outcome.text else { return value.asText }
    let isCode = count.contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
    return isCode ? outcome : nil
  }

  /// oFono's words, some of which the catalogue spells otherwise.
  private static func technology(_ value: BusValue) -> Outcome? {
    guard let outcome = value.asText else { return nil }
    return outcome.text == "nr" ? .ok(.string("nr5g")) : outcome
  }

  private static func registration(_ value: BusValue) -> Outcome? {
    switch value.text {
    case "unregistered": .ok(.string("idle"))
    case "registered": .ok(.string("home"))
    case let word? where ["searching", "denied", "unknown", "roaming"].contains(word):
      .ok(.string(word))
    default: nil
    }
  }

  /// A code as hexadecimal digits. 0 stands for "unknown", and so does a field of ones; FFFE for an
  /// area that is none (3GPP 23.003).
  static func hexadecimal(
    _ value: BusValue, _ name: String, in range: ClosedRange<Int64>
  ) -> Outcome? {
    value.count { number in
      let unknown: Set<Int64> = [0, -1, 0xFFFF_FFFF, range.upperBound]
      let isNoArea = range.upperBound == 0xFFFF && number == 0xFFFE
      if unknown.contains(number) || isNoArea { return .noData("reported as \(number)") }
      guard range.contains(number) else { return .failed("\(name) is \(number)") }
      return .ok(.string(String(number, radix: 16, uppercase: true)))
    }
  }

  /// Zeros stand for an identity that was never written.
  private static func serial(_ value: BusValue) -> Outcome? {
    guard let outcome = value.asText else { return nil }
    let isBlank = outcome.text?.utf8.allSatisfy { $0 == 48 } == true
    return isBlank ? .noData("only zeros") : outcome
  }
}
