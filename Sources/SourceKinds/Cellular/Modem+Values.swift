import Gathering
import Machine
import Values

/// The values of a kind's fields from a modem's own properties.
extension Modem {
  /// The value of a field that is a property of the modem; nil for fields of the signal or the
  /// location.
  func outcome(of field: CellRadio.Field) -> Outcome? {
    guard let source = Self.sources[field] else { return nil }
    if let missing = missing(source.interface) { return missing }
    return .of(object[source.interface, source.name], source.name) { value in
      switch field {
      case .state: value.integer.map(Self.state)
      case .technology: value.integer.map(Self.technology)
      case .signalQuality: Self.quality(value)
      case .registration: value.integer.map(Self.registration)
      case .mcc: Self.code(value) { $0.prefix(3) }
      case .mnc: Self.code(value) { $0.dropFirst(3) }
      case .imei: value.asText.map(Self.imei)
      default: value.asText
      }
    }
  }

  /// The property a field comes from, as it came.
  func raw(of field: CellRadio.Field) -> RawValue? {
    guard let source = Self.sources[field],
      let value = object[source.interface, source.name]
    else { return nil }
    return RawValue("\(value)".utf8, place: "\(source.interface).\(source.name)")
  }

  /// The outcome for a missing interface: a modem that is locked or starting may get it later.
  func missing(_ interface: String) -> Outcome? {
    if object.interfaces[interface] != nil { return nil }
    let word = interface.split(separator: ".").last.map(String.init) ?? interface
    return (state ?? 3) < 3
      ? .noData("the modem has no \(word) before it is unlocked and has started")
      : .unsupported("the modem has no \(word)")
  }

  private static let sources: [CellRadio.Field: (interface: String, name: String)] = [
    .state: (ModemDaemon.modem, "State"),
    .technology: (ModemDaemon.modem, "AccessTechnologies"),
    .signalQuality: (ModemDaemon.modem, "SignalQuality"),
    .operatorName: (ModemDaemon.network, "OperatorName"),
    .operatorCode: (ModemDaemon.network, "OperatorCode"),
    .mcc: (ModemDaemon.network, "OperatorCode"), .mnc: (ModemDaemon.network, "OperatorCode"),
    .registration: (ModemDaemon.network, "RegistrationState"),
    .manufacturer: (ModemDaemon.modem, "Manufacturer"), .model: (ModemDaemon.modem, "Model"),
    .imei: (ModemDaemon.network, "Imei"),
  ]

  private static func state(_ number: Int64) -> Outcome {
    (-1...11).contains(number)
      ? .ok(.string(ModemDaemon.states[Int(number) + 1])) : .failed("State is \(number)")
  }

  private static func registration(_ number: Int64) -> Outcome {
    let words = ModemDaemon.registrations
    if number < 0 { return .failed("RegistrationState is \(number)") }
    return .ok(.string(words[Int(min(number, Int64(words.count - 1)))]))
  }

  /// The words of all bits; no bit or all bits mean no data.
  private static func technology(_ bits: Int64) -> Outcome {
    let words = ModemDaemon.technologies.enumerated()
      .filter { bits & 1 << Int64($0.offset) != 0 }.map(\.element)
    return bits == 0xffff_ffff || words.isEmpty
      ? .noData("reported as \(bits)") : .ok(.string(words.joined(separator: " ")))
  }

  /// Percent, and whether it was measured a moment ago.
  private static func quality(_ value: BusValue) -> Outcome? {
    guard case .structure(let members) = value, members.count == 2,
      let percent = members[0].integer, let isRecent = members[1].flag
    else { return nil }
    guard (0...100).contains(percent) else { return .failed("SignalQuality is \(percent)") }
    let payload = Value.double(Double(percent))
    return isRecent
      ? .ok(payload)
      : Outcome(
        value: payload, status: .stale, absence: Absence("not measured in the last moments"))
  }

  /// A part of an operator's code: a country of three digits, then a network of two or three.
  private static func code(
    _ value: BusValue, _ part: (String) -> Substring
  ) -> Outcome? {
    guard let outcome = value.asText, let code = outcome.text else { return value.asText }
    guard (5...6).contains(code.utf8.count), code.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return .ok(.string(String(part(code))))
  }

  /// Zeros stand for an identity that was never written.
  private static func imei(_ outcome: Outcome) -> Outcome {
    let isBlank = outcome.text?.utf8.allSatisfy { $0 == 48 } == true
    return isBlank ? .noData("only zeros") : outcome
  }
}
