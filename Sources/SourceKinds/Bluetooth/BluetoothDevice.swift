import Gathering
import Machine
import Values

/// Bluetooth devices that are known, connected or, during a discovery, nearby.
struct BluetoothDevice: CatalogueKind {
  enum Field: Int, PropertyField {
    case connected, paired, trusted, servicesResolved, rssi, txPower, batteryLevel
    case address, addressType, name, serviceUuids, manufacturerData, icon, `class`, adapter

    var property: Property {
      switch self {
      case .connected: Property("connected", .bool, .onChange)
      case .paired: Property("paired", .bool, .onChange)
      case .trusted: Property("trusted", .bool, .onChange)
      case .servicesResolved: Property("services_resolved", .bool, .onChange)
      case .rssi: Property("rssi", .double, unit: "dB{mW}", .continuous, name: "RSSI")
      case .txPower: Property("tx_power", .double, unit: "dB{mW}", .onChange)
      case .batteryLevel: Property("battery_level", .double, unit: "1", .onChange, range: 0...1)
      case .address: Property("address", .string, .static, category: .mac)
      case .addressType: Property("address_type", .enumeration(["public", "random"]), .static)
      case .name: Property("name", .string, .onChange, category: .hostname)
      case .serviceUuids: Property("service_uuids", .string, .onChange, name: "Service UUIDs")
      case .manufacturerData: Property("manufacturer_data", .bytes, .onChange, category: .mac)
      case .icon: Property("icon", .string, .onChange)
      case .class: Property("class", .int, .onChange)
      case .adapter: Property("adapter", .string, .static)
      }
    }
  }

  let kind = "bluetooth_device"
  let name = "Bluetooth Device"
  let intervals = Intervals(
    seconds: 1, minimum: 0.5, eventDriven: true, eventSpacing: 0.5)
  let topics: [ChangeTopic] = [.bus(BluetoothDaemon.service)]
  static let table = Field.properties

  /// The devices BlueZ knows or is connected to, and those found by our discovery; connected ones
  /// first.
  func discover(on machine: Machine) -> Discovery {
    let view = BluetoothDaemon.view(on: machine)
    let adapters = Dictionary(
      BluetoothAdapter.all(on: machine).map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    let identity = MachineIdentity.of(machine)
    let found = view.paths(with: BluetoothDaemon.device)
      .sorted(by: NaturalOrder.areInIncreasingOrder)
      .compactMap { path -> (Instance, isConnected: Bool)? in
        // A device remains for a moment after its adapter, without data.
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

  /// The type of device, for people; never the name a person gave it.
  private static func label(_ icon: String?) -> String {
    switch icon {
    case nil: "Bluetooth device"
    case "audio-card": "speaker"
    case let icon?: icon.split(separator: "-").last.map(String.init) ?? icon
    }
  }

  /// Opens a device; throws if BlueZ cannot be used.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.availability.group != .available { throw .unavailable(instance.availability) }
    return BluetoothDeviceReader(instance, on: machine)
  }
}
