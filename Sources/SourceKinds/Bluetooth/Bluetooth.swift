import Gathering
import Machine

/// Bluetooth adapters: whether they are on and who is connected.
struct Bluetooth: CatalogueKind {
  enum Field: Int, PropertyField {
    case powered, discovering, discoverable, pairable, connectedCount, knownCount, address, name

    var property: Property {
      switch self {
      case .powered: Property("powered", .bool, .onChange)
      case .discovering: Property("discovering", .bool, .onChange)
      case .discoverable: Property("discoverable", .bool, .onChange)
      case .pairable: Property("pairable", .bool, .onChange)
      case .connectedCount: Property("connected_count", .int, unit: "1", .onChange, .derived)
      case .knownCount: Property("known_count", .int, unit: "1", .onChange, .derived)
      case .address: Property("address", .string, .static, category: .mac)
      case .name: Property("name", .string, .onChange, category: .hostname)
      }
    }
  }

  let kind = "bluetooth"
  let name = "Bluetooth"
  let intervals = Intervals(seconds: 10, minimum: 1, eventDriven: true)
  /// It looks for devices.
  let permittedActions: [PrivacyCategory] = [.bluetoothDiscovery]
  /// Change notices of the kernel and the bus.
  let topics: [ChangeTopic] = [
    .devices(subsystem: "bluetooth"), .devices(subsystem: "rfkill"),
    .bus(BluetoothDaemon.service),
  ]
  static let table = Field.properties

  /// The adapters known to the kernel or BlueZ, powered ones first.
  func discover(on machine: Machine) -> Discovery {
    let instances = BluetoothAdapter.all(on: machine).map { adapter in
      Instance(
        adapter.name, label: "Bluetooth adapter",
        aliases: adapter.name == adapter.kernelName ? [] : [adapter.kernelName],
        availability: adapter.availability, path: adapter.path)
    }
    let none = Availability(
      .noHardware, backend: "bluez", detail: "no adapter in \(BluetoothDaemon.folder)")
    return Discovery(instances.withDistinctNames(), orElse: none)
  }

  /// Opens an adapter; throws if BlueZ cannot be used.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.availability.group != .available { throw .unavailable(instance.availability) }
    return BluetoothReader(instance.path, on: machine)
  }
}
