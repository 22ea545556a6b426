import Gathering
import Machine

/// Bluetooth adapters: whether they are on and who is connected.
struct Bluetooth: SourceKind {
  enum Field: Int, CaseIterable {
    case powered, discovering, discoverable, pairable, connectedCount, knownCount, address, name
  }

  /// The word in identifiers.
  let kind = "bluetooth"
  /// The name for people.
  let name = "Bluetooth"
  /// How often it is read unless asked otherwise, and at most.
  let intervals = Intervals(seconds: 10, minimum: 1, eventDriven: true)
  /// It looks for devices.
  let permittedActions: [PrivacyCategory] = [.bluetoothDiscovery]
  /// What kernel and bus tell of it by themselves.
  let topics: [ChangeTopic] = [
    .devices(subsystem: "bluetooth"), .devices(subsystem: "rfkill"),
    .bus(BluetoothDaemon.service),
  ]
  /// The catalogue's table, in its order.
  var properties: [Property] { Self.table }

  static let table: [Property] = [
    Property("powered", .bool, .onChange),
    Property("discovering", .bool, .onChange),
    Property("discoverable", .bool, .onChange),
    Property("pairable", .bool, .onChange),
    Property("connected_count", .int, unit: "1", .onChange, .derived),
    Property("known_count", .int, unit: "1", .onChange, .derived),
    Property("address", .string, .static, category: .mac),
    Property("name", .string, .onChange, category: .hostname),
  ]

  /// The kind; it keeps no state.
  init() {}

  /// The adapters that kernel or BlueZ show, those that are on first.
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

  /// Opens an adapter; throws where BlueZ cannot be asked.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.availability.group != .available { throw .unavailable(instance.availability) }
    return BluetoothReader(instance.path, on: machine)
  }
}
