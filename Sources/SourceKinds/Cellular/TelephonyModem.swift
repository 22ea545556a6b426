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
}
