import Gathering
import Machine

/// oFono: its interfaces, in a dialect of its own.
enum TelephonyDaemon {
  static let name = "org.ofono"
  static let manager = "\(name).Manager"
  static let modem = "\(name).Modem"
  static let registration = "\(name).NetworkRegistration"
  static let sim = "\(name).SimManager"
  static let monitor = "\(name).NetworkMonitor"

  static let service = BusService(
    name,
    objects: .introduced(
      by: BusService.Listing(
        BusService.ObjectInterface("/", manager), method: "GetModems", added: "ModemAdded",
        removed: "ModemRemoved", interface: modem),
      naming: "Interfaces", wanted: [registration, sim]),
    unit: "ofono.service", package: "ofono")
}
