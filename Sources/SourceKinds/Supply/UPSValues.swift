import Gathering
import Machine
import Values

/// The values of one UPS, made of the variables that upsd has of it.
struct UPSValues {
  private typealias Field = UPS.Field

  private let device: UpsdDevice
  private let status: UPSStatus?

  init(_ device: UpsdDevice) {
    self.device = device
    status = device.variables["ups.status"].map { UPSStatus($0[...]) }
  }

  /// What the variables of a field say, and the text it is made of.
  func value(of field: UPS.Field) -> (outcome: Outcome, raw: RawValue?) {
    if field == .description { return description }
    let (name, text) = variable(of: field)
    let raw = text.map { RawValue($0, place: "\(device.name) \(name)") }
    guard let text else {
      let missing = Outcome.unsupported("the UPS does not report \(name)")
      return (nominal(field) ?? missing, nil)
    }
    if text.trimmed.isEmpty { return (.noData("empty text"), raw) }
    return (outcome(of: field, text.trimmed), raw)
  }

  private func variable(of field: UPS.Field) -> (name: String, text: ArraySlice<UInt8>?) {
    let names = UPS.variables[field] ?? []
    for name in names {
      if let text = device.variables[name] { return (name, text[...]) }
    }
    return (names.first ?? "", nil)
  }

  private func outcome(of field: UPS.Field, _ text: ArraySlice<UInt8>) -> Outcome {
    switch field {
    case .status, .alarm, .testResult, .manufacturer, .model, .firmware, .driver, .description,
      .serial:
      .ok(.string(text.lenientText))
    case .state, .lowBattery, .replaceBattery, .charging, .discharging, .overload,
      .forcedShutdown:
      status?.outcomes.first { $0.field == field }?.outcome ?? .unparsable(text)
    case .level, .load: number(text, over: 100, in: UPS.table[field].range)
    case .runtime: runtime(text)
    case .temperature, .ambientTemperature: number(text, in: -273.15...1000)
    case .ambientHumidity: number(text, in: UPS.table[field].range)
    case .realPower, .apparentPower, .inputVoltage, .outputVoltage, .batteryVoltage,
      .inputFrequency:
      number(text)
    }
  }

  /// A plain decimal; anything else is an error (V7).
  private func number(
    _ text: ArraySlice<UInt8>, over divisor: Double = 1, in range: ClosedRange<Double>? = nil
  ) -> Outcome {
    guard let number = Self.decimal(text).map({ $0 / divisor }) else { return .unparsable(text) }
    guard range?.contains(number) ?? true else { return .failed("\(text.quotedExcerpt) cannot be") }
    return .ok(.double(number))
  }

  /// A number of digits with one point at most: no exponent, though numbers elsewhere have them.
  private static func decimal(_ text: ArraySlice<UInt8>) -> Double? {
    let isPlain = text.allSatisfy { byte in
      (48...57).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
    return isPlain ? NumberText.decimal(text) : nil
  }

  /// Drivers say 0 or less where they do not know.
  private func runtime(_ text: ArraySlice<UInt8>) -> Outcome {
    let outcome = number(text)
    guard let seconds = outcome.number, seconds < 0 || seconds == 0 && status?.isOnline != false
    else { return outcome }
    return .noData("reported as \(text.lenientText)")
  }

  /// Power as the share of the nominal one that is used; nil where that is not told either.
  private func nominal(_ field: UPS.Field) -> Outcome? {
    guard field == .realPower || field == .apparentPower,
      let name = UPS.variables[field]?.first,
      let most = device.variables["\(name).nominal"].flatMap({ Self.decimal($0[...].trimmed) }),
      let load = value(of: .load).outcome.number
    else { return nil }
    return .ok(.double(load * most), lowAccuracy: true)
  }

  private var description: (outcome: Outcome, raw: RawValue?) {
    let text = device.description[...].trimmed
    let raw = RawValue(device.description, place: "LIST UPS \(device.name)")
    let isNone = ["Unavailable", "Description unavailable"].contains { text.elementsEqual($0.utf8) }
    if isNone || text.isEmpty { return (.noData("ups.conf does not describe it"), raw) }
    return (.ok(.string(text.lenientText)), raw)
  }
}

extension Outcome {
  /// The same, which the driver has not confirmed lately.
  func stale(_ absence: Absence) -> Outcome {
    if status != .ok { return self }
    var old = self
    (old.status, old.absence) = (.stale, absence)
    return old
  }
}
