import Gathering
import Machine
import Values

/// One modem, as oFono shows it.
struct TelephonyModem {
  let path: String
  let object: BusObject

  /// All modems, in natural order of their objects.
  static func all(in view: BusView?) -> [TelephonyModem] {
    guard let view else { return [] }
    return view.paths(with: TelephonyDaemon.modem).sorted(by: NaturalOrder.areInIncreasingOrder)
      .compactMap { path in view.objects[path].map { TelephonyModem(path: path, object: $0) } }
  }

  /// Whether it lists an interface.
  func lists(_ interface: String) -> Bool {
    object[TelephonyDaemon.modem, "Interfaces"]?.texts?.contains(interface) == true
  }

  /// Why an interface has no data; nil if it has. A modem that is locked or off may get it later.
  func missing(_ interface: String) -> Outcome? {
    if object.interfaces[interface] != nil { return nil }
    if let failure = object.failures[interface] {
      return .from(failure, of: TelephonyDaemon.service)
    }
    if lists(interface) { return .noData("oFono has not told so far") }
    let word = interface.split(separator: ".").last.map(String.init) ?? interface
    return isReady
      ? .unsupported("the modem has no \(word)")
      : .noData("the modem has no \(word) before it is on and unlocked")
  }

  // MARK: State

  private func flag(_ name: String) -> Bool? { object[TelephonyDaemon.modem, name]?.flag }

  private func text(_ name: String) -> String? {
    object[TelephonyDaemon.modem, name]?.asText?.text
  }

  /// The serial number, which is an IMEI where it is a phone's.
  var serial: String? { text("Serial") }

  /// The code the SIM requires: `pin`, `puk`; nil if none.
  private var lock: String? {
    let required = object[TelephonyDaemon.sim, "PinRequired"]?.text ?? "none"
    return required == "none" ? nil : required
  }

  private var isReady: Bool { flag("Powered") != false && flag("Online") != false && lock == nil }

  /// Its state as a word of the catalogue: oFono has three flags and a word for it.
  var state: Outcome {
    guard let isPowered = flag("Powered") else {
      return .of(object[TelephonyDaemon.modem, "Powered"], "Powered") { _ in nil }
    }
    if !isPowered { return .ok(.string("disabled")) }
    if lock != nil { return .ok(.string("locked")) }
    if flag("Online") == false { return .ok(.string("disabled")) }
    return switch object[TelephonyDaemon.registration, "Status"]?.text {
    case "registered", "roaming": .ok(.string("registered"))
    case "searching": .ok(.string("searching"))
    default: .ok(.string("enabled"))
    }
  }

  // MARK: The instance

  /// The modem as an instance: by the digest of its serial number or else its place in the machine,
  /// since its path ends in a number (catalogue 4.5, N6).
  func instance(on machine: Machine) -> Instance {
    let identity = serial ?? text("SystemPath") ?? "modem"
    let label = [text("Manufacturer"), text("Model")].compactMap(\.self).joined(separator: " ")
    return Instance(
      MachineIdentity.of(machine).digest(of: identity), label: label.isEmpty ? "Modem" : label,
      availability: availability, path: path, notes: ["service": Self.backend])
  }

  private static var backend: String { TelephonyDaemon.service.backend }

  private var availability: Availability {
    if flag("Powered") == false {
      return Availability(
        .poweredOff, backend: Self.backend, detail: "the modem is not powered",
        remedy: "set Powered of org.ofono.Modem at \(path) to true")
    }
    if let lock { return Self.locked(by: lock) }
    if flag("Online") == false {
      return Availability(
        .poweredOff, backend: Self.backend, detail: "the modem is offline",
        remedy: "set Online of org.ofono.Modem at \(path) to true")
    }
    if object[TelephonyDaemon.registration, "Status"]?.text == "searching" {
      return Availability(
        .searching, backend: Self.backend, detail: "the modem looks for a network",
        remedy: "wait, or move it to where it receives a network")
    }
    return Availability(.available, backend: Self.backend)
  }

  private static func locked(by lock: String) -> Availability {
    let isBlocked = lock.hasSuffix("puk")
    return Availability(
      .requiresPermission, backend: backend,
      detail: isBlocked ? "SIM PUK needed" : "SIM PIN needed",
      remedy: isBlocked
        ? "unblock the SIM by ResetPin of org.ofono.SimManager"
        : "unlock the SIM by EnterPin of org.ofono.SimManager")
  }

  // MARK: The values of a kind's fields

  /// The value of a field; nil for fields of the cell.
  func value(of field: CellRadioField) -> ReportedValue? {
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
