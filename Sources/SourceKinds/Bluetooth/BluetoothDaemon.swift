import Gathering
import Ground
import Machine

/// BlueZ: the adapters and devices it has told of.
enum BluetoothDaemon {
  static let name = "org.bluez"
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let battery = "org.bluez.Battery1"

  static let service = BusService(
    name, objects: .managed(root: "/"), unit: "bluetooth.service", package: "bluez")

  /// Where the kernel shows adapters.
  static let folder = "/sys/class/bluetooth"

  /// What is known of BlueZ; empty where it cannot be asked.
  static func view(on machine: Machine) -> BusView {
    machine.view(of: service) ?? BusView(.asking)
  }

  /// Why BlueZ cannot be asked; nil if it can.
  static func obstacle(on machine: Machine) -> Availability? {
    .obstacle(service, on: machine, view: machine.view(of: service))
  }

  /// The discoveries of ours that run, each on an adapter of a bus.
  ///
  /// What they find is listed only as long as they run (catalogue 4.14), and the two kinds know of
  /// each other nowhere else.
  private static let discoveries = Lock<[AdapterKey: Int]>([:])

  private struct AdapterKey: Hashable {
    let bus: ObjectIdentifier
    let path: String

    init?(_ machine: Machine, _ path: String) {
      guard let bus = machine.bus else { return nil }
      self.bus = ObjectIdentifier(bus)
      self.path = path
    }
  }

  /// Whether a discovery of ours runs on an adapter.
  static func isDiscovering(_ path: String, on machine: Machine) -> Bool {
    guard let key = AdapterKey(machine, path) else { return false }
    return discoveries.withLock { $0[key] != nil }
  }

  /// Notes that a discovery of ours begins or ends.
  static func note(discovery path: String, on machine: Machine, begins: Bool) {
    guard let key = AdapterKey(machine, path) else { return }
    discoveries.withLock { running in
      let count = (running[key] ?? 0) + (begins ? 1 : -1)
      running[key] = count > 0 ? count : nil
    }
  }
}
