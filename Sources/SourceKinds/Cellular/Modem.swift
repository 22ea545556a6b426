import Gathering
import Machine
import Values

/// One modem, as ModemManager shows it.
struct Modem {
  let path: String
  let object: BusObject

  /// All modems, in natural order of their objects.
  static func all(in view: BusView?) -> [Modem] {
    guard let view else { return [] }
    return view.paths(with: ModemDaemon.modem).sorted(by: NaturalOrder.areInIncreasingOrder)
      .compactMap { path in view.objects[path].map { Modem(path: path, object: $0) } }
  }

  private func property(_ name: String) -> BusValue? { object[ModemDaemon.modem, name] }

  private func text(_ name: String) -> String? { property(name)?.asText?.text }

  /// The serial number, by which other services know it too.
  var serial: String? { text("EquipmentIdentifier") }

  /// `State`, from −1 to 11; nil if not reported.
  var state: Int64? { property("State")?.integer }

  /// Whether the radio is on; true if not reported.
  var isEnabled: Bool { state.map { $0 >= 6 } ?? true }

  /// The modem as an instance: named by the digest of its identity, since its path is only a number
  /// (catalogue 4.5).
  func instance(on machine: Machine) -> Instance {
    let identity = text("DeviceIdentifier") ?? text("Device") ?? "modem"
    let label = [text("Manufacturer"), text("Model")].compactMap(\.self).joined(separator: " ")
    return Instance(
      MachineIdentity.of(machine).digest(of: identity), label: label.isEmpty ? "Modem" : label,
      availability: availability, path: path)
  }

  /// Whether it can be used.
  private var availability: Availability {
    let backend = ModemDaemon.service.backend
    switch state {
    case -1:
      return Availability(
        .failed, backend: backend, detail: failure.detail, remedy: failure.remedy)
    case 0, 1, 5:
      return Availability(
        .searching, backend: backend, detail: "the modem is starting",
        remedy: "wait until it has started")
    case 2: return lock
    case 3, 4:
      return Availability(
        .poweredOff, backend: backend, detail: "the modem is disabled",
        remedy: "mmcli -m any --enable")
    case 7:
      return Availability(
        .searching, backend: backend, detail: "the modem looks for a network",
        remedy: "wait, or move it to where it receives a network")
    default: return Availability(.available, backend: backend)
    }
  }

  /// Why it failed, by `StateFailedReason`.
  private var failure: (detail: String, remedy: String) {
    switch property("StateFailedReason")?.integer {
    case 2: ("there is no SIM", "insert a SIM")
    case 3: ("the SIM does not work", "insert another SIM")
    case 5: ("the eSIM has no profile", "install a profile on the eSIM")
    default: ("the modem does not work", "systemctl restart \(ModemDaemon.service.unit)")
    }
  }

  /// The lock by `UnlockRequired`: 4 and 5 need a PUK, everything else a PIN.
  private var lock: Availability {
    let isBlocked = [4, 5].contains(property("UnlockRequired")?.integer)
    return Availability(
      .requiresPermission, backend: ModemDaemon.service.backend,
      detail: isBlocked ? "SIM PUK needed" : "SIM PIN needed",
      remedy: isBlocked
        ? "unblock the SIM: mmcli -i SIM --puk=PUK --pin=PIN"
        : "unlock the SIM: mmcli -i SIM --pin=PIN")
  }

  // MARK: The values of a kind's fields

  /// The value of a field that is a property of the modem; nil for fields of the signal or the
  /// location.
  func outcome(of field: CellRadioField) -> Outcome? {
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
  func raw(of field: CellRadioField) -> RawValue? {
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

  private static let sources: [CellRadioField: (interface: String, name: String)] = [
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
