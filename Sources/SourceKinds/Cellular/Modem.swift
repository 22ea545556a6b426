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
}
