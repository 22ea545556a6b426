import Gathering
import Ground
import Machine

/// BlueZ: the adapters and devices it has reported.
enum BluetoothDaemon {
  static let name = "org.bluez"
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let battery = "org.bluez.Battery1"

  static let service = BusService(
    name, objects: .managed(root: "/"), unit: "bluetooth.service", package: "bluez")

  /// Where the kernel shows adapters.
  static let folder = "/sys/class/bluetooth"

  /// The present view of BlueZ; empty if it cannot be used.
  static func view(on machine: Machine) -> BusView {
    machine.view(of: service) ?? BusView(.asking)
  }

  /// Why BlueZ cannot be used; nil if it can.
  static func obstacle(on machine: Machine) -> Availability? {
    .obstacle(service, on: machine, view: machine.view(of: service))
  }

  /// Our running discoveries, each on an adapter of a bus.
  ///
  /// Devices they find are listed only while they run (catalogue 4.14); the two kinds share no
  /// other state.
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
