import Gathering
import Ground
import Machine
import Values

/// Reads one Bluetooth device from BlueZ.
final class BluetoothDeviceReader: InstanceReader {
  private typealias Field = BluetoothDevice.Field

  /// The age in nanoseconds at which a signal strength becomes stale.
  private static let freshness: Int64 = 10_000_000_000

  private let path: String
  private let adapter: Outcome
  private let machine: Machine
  private let watch: (any Cancellable)?

  init(_ instance: Instance, on machine: Machine) {
    path = instance.path
    let id = try? SourceIdentifier(kind: "bluetooth", instance: instance.notes["adapter"])
    adapter = id.map { .ok(.string($0.description)) } ?? .noData("the adapter has no name")
    self.machine = machine
    watch = machine.bus?.watch(BluetoothDaemon.service) {}
  }

  deinit { watch?.cancel() }

  /// BlueZ may have to be waited for.
  var mayBlock: Bool { true }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let device = machine.bus?.view(of: BluetoothDaemon.service, waiting: 900_000_000)
      .object(path, BluetoothDaemon.device)
    for field in BluetoothDevice.fields(wantedBy: request) {
      reading[field] =
        device.map { outcome(of: field, $0) } ?? .noData("BlueZ no longer has it")
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard let field = Field(rawValue: index), let source = Self.sources[field],
      let value = machine.view(of: BluetoothDaemon.service)?
        .object(path, BluetoothDaemon.device)?[source.interface, source.name]
    else { return nil }
    return RawValue("\(value)".utf8, place: "\(source.interface).\(source.name)")
  }

  private static let sources: [Field: (interface: String, name: String)] = [
    .connected: (BluetoothDaemon.device, "Connected"), .paired: (BluetoothDaemon.device, "Paired"),
    .trusted: (BluetoothDaemon.device, "Trusted"),
    .servicesResolved: (BluetoothDaemon.device, "ServicesResolved"),
    .rssi: (BluetoothDaemon.device, "RSSI"), .txPower: (BluetoothDaemon.device, "TxPower"),
    .batteryLevel: (BluetoothDaemon.battery, "Percentage"),
    .address: (BluetoothDaemon.device, "Address"),
    .addressType: (BluetoothDaemon.device, "AddressType"),
    .name: (BluetoothDaemon.device, "Alias"), .serviceUuids: (BluetoothDaemon.device, "UUIDs"),
    .manufacturerData: (BluetoothDaemon.device, "ManufacturerData"),
    .icon: (BluetoothDaemon.device, "Icon"), .class: (BluetoothDaemon.device, "Class"),
  ]

  private func outcome(of field: Field, _ device: BusObject) -> Outcome {
    guard let source = Self.sources[field] else { return adapter }
    let outcome = Outcome.of(device[source.interface, source.name], source.name) { value in
      switch field {
      case .connected, .paired, .trusted, .servicesResolved: value.asFlag
      case .rssi, .txPower: value.integer.map { .ok(.double(Double($0))) }
      case .batteryLevel:
        value.count("Percentage", in: 0...100) { .ok(.double(Double($0) / 100)) }
      case .address: value.asHardwareAddress
      case .addressType, .name, .icon: value.asText
      case .serviceUuids: value.texts.map(Self.words)
      case .manufacturerData: Self.data(value)
      case .class: value.integer.map { $0 == 0 ? .noData("reported as 0") : .ok(.int($0)) }
      case .adapter: nil
      }
    }
    guard field == .rssi || field == .txPower, outcome.status == .ok else { return outcome }
    return aged(outcome, updatedAt: device.updatedAt[source.name])
  }

  /// A signal strength that was received long ago is stale.
  private func aged(_ outcome: Outcome, updatedAt moment: Int64?) -> Outcome {
    guard let moment, LiveTime().now.boot - moment > Self.freshness else { return outcome }
    return Outcome(
      value: outcome.value, status: .stale, absence: Absence("not heard for more than 10 s"))
  }

  private static func words(_ texts: [String]) -> Outcome {
    let words = texts.filter { !$0.isEmpty }
    return words.isEmpty
      ? .noData("no service is known") : .ok(.string(words.joined(separator: " ")))
  }

  /// The company's number, little-endian, and its data; of several the lowest number.
  private static func data(_ value: BusValue) -> Outcome? {
    guard let pairs = value.pairs else { return nil }
    var companies: [(UInt16, [UInt8])] = []
    for pair in pairs {
      guard case .uint16(let company) = pair.key, let bytes = pair.value.bytes else { return nil }
      companies.append((company, bytes))
    }
    guard let (company, bytes) = companies.min(by: { $0.0 < $1.0 }) else {
      return .noData("no data is known")
    }
    let number = [UInt8(truncatingIfNeeded: company), UInt8(truncatingIfNeeded: company >> 8)]
    return .ok(.bytes(number + bytes))
  }
}
