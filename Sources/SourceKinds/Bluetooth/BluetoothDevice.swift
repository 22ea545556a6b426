import Gathering
import Machine
import Values

/// Bluetooth devices that are known, connected or, while that is looked for, nearby.
struct BluetoothDevice: SourceKind {
  enum Field: Int, CaseIterable {
    case connected, paired, trusted, servicesResolved, rssi, txPower, batteryLevel
    case address, addressType, name, serviceUuids, manufacturerData, icon, deviceClass, adapter
  }

  /// The word in identifiers.
  let kind = "bluetooth_device"
  /// The name for people.
  let name = "Bluetooth Device"
  /// How often it is read unless asked otherwise, and at most.
  let intervals = Intervals(
    seconds: 1, minimum: 0.5, eventDriven: true, eventSpacing: 0.5)
  /// What the bus tells of it by itself.
  let topics: [ChangeTopic] = [.bus(BluetoothDaemon.service)]
  /// The catalogue's table, in its order.
  var properties: [Property] { Self.table }

  static let table: [Property] = [
    Property("connected", .bool, .onChange),
    Property("paired", .bool, .onChange),
    Property("trusted", .bool, .onChange),
    Property("services_resolved", .bool, .onChange),
    Property("rssi", .double, unit: "dB{mW}", .continuous, name: "RSSI"),
    Property("tx_power", .double, unit: "dB{mW}", .onChange),
    Property("battery_level", .double, unit: "1", .onChange, range: 0...1),
    Property("address", .string, .static, category: .mac),
    Property("address_type", .enumeration(["public", "random"]), .static),
    Property("name", .string, .onChange, category: .hostname),
    Property("service_uuids", .string, .onChange, name: "Service UUIDs"),
    Property("manufacturer_data", .bytes, .onChange, category: .mac),
    Property("icon", .string, .onChange),
    Property("class", .int, .onChange),
    Property("adapter", .string, .static),
  ]

  /// The kind; it keeps no state.
  init() {}

  /// The devices BlueZ knows or is connected to, and those it finds while we let it look; connected
  /// ones first.
  func discover(on machine: Machine) -> Discovery {
    let view = BluetoothDaemon.view(on: machine)
    let adapters = Dictionary(
      BluetoothAdapter.all(on: machine).map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    let identity = MachineIdentity.of(machine)
    let found = view.paths(with: BluetoothDaemon.device)
      .sorted(by: NaturalOrder.areInIncreasingOrder)
      .compactMap { path -> (Instance, isConnected: Bool)? in
        // A device outlives its adapter for a moment, and says nothing by then.
        guard let device = view.objects[path],
          let adapter = device[BluetoothDaemon.device, "Adapter"]?.path.flatMap({ adapters[$0] }),
          let address = device[BluetoothDaemon.device, "Address"]?.asText?.text
        else { return nil }
        let isNearby = BluetoothDaemon.isDiscovering(adapter.path, on: machine)
        guard device.isKnown || device.isConnected || isNearby else { return nil }
        let icon = device[BluetoothDaemon.device, "Icon"]?.asText?.text
        let instance = Instance(
          "dev-" + identity.digest(of: address.uppercased()), label: Self.label(icon),
          availability: adapter.availability, path: path, notes: ["adapter": adapter.name])
        return (instance, device.isConnected)
      }
    let ordered = found.filter(\.isConnected) + found.filter { !$0.isConnected }
    return Discovery(
      ordered.map(\.0).withDistinctNames(), orElse: Self.absence(adapters.isEmpty, machine))
  }

  private static func absence(_ isWithoutAdapter: Bool, _ machine: Machine) -> Availability {
    let none = Availability(
      .noHardware, backend: "bluez",
      detail: isWithoutAdapter
        ? "no adapter in \(BluetoothDaemon.folder)" : "no device is known or connected")
    if isWithoutAdapter { return none }
    return BluetoothDaemon.obstacle(on: machine) ?? none
  }

  /// What it is, for people; never the name a person gave it.
  private static func label(_ icon: String?) -> String {
    switch icon {
    case nil: "Bluetooth device"
    case "audio-card": "speaker"
    case let icon?: icon.split(separator: "-").last.map(String.init) ?? icon
    }
  }

  /// Opens a device; throws where BlueZ cannot be asked.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.availability.group != .available { throw .unavailable(instance.availability) }
    return BluetoothDeviceReader(instance, on: machine)
  }
}
