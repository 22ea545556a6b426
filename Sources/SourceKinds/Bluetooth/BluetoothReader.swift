import Gathering
import Ground
import Machine
import Values

/// Reads one adapter, and lets it look for devices while that is allowed and a session updates.
final class BluetoothReader: InstanceReader {
  private let path: String
  private let machine: Machine
  private let watch: (any Cancellable)?
  private var isDiscovering = false
  /// When a discovery was last requested: BlueZ refuses while an adapter is being powered on.
  private var askedAt = Int64.min
  private static let pause: Int64 = 2_000_000_000

  init(_ path: String, on machine: Machine) {
    self.path = path
    self.machine = machine
    watch = machine.bus?.watch(BluetoothDaemon.service) {}
  }

  deinit {
    stopDiscovery()
    watch?.cancel()
  }

  /// BlueZ may have to be waited for.
  var mayBlock: Bool { true }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let view = machine.bus?.view(of: BluetoothDaemon.service, waiting: 900_000_000)
    let adapter = view?.object(path, BluetoothDaemon.adapter)
    tendDiscovery(request, of: adapter)
    guard let view, let adapter else {
      for field in Bluetooth.fields(wantedBy: request) {
        reading[field] = .noData("BlueZ does not know the adapter")
      }
      return
    }
    let devices = view.paths(with: BluetoothDaemon.device)
      .compactMap { view.objects[$0] }
      .filter { $0[BluetoothDaemon.device, "Adapter"]?.path == path }
    for field in Bluetooth.fields(wantedBy: request) {
      reading[field] = Self.outcome(of: field, adapter, devices)
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard let field = Bluetooth.Field(rawValue: index), let name = Self.sources[field],
      let value = machine.view(of: BluetoothDaemon.service)?
        .object(path, BluetoothDaemon.adapter)?[BluetoothDaemon.adapter, name]
    else { return nil }
    return RawValue("\(value)".utf8, place: "\(BluetoothDaemon.adapter).\(name)")
  }

  private static let sources: [Bluetooth.Field: String] = [
    .powered: "Powered", .discovering: "Discovering", .discoverable: "Discoverable",
    .pairable: "Pairable", .address: "Address", .name: "Alias",
  ]

  private static func outcome(
    of field: Bluetooth.Field, _ adapter: BusObject, _ devices: [BusObject]
  ) -> Outcome {
    let count = { (isCounted: (BusObject) -> Bool) in
      Outcome.ok(.int(Int64(devices.count(where: isCounted))))
    }
    switch field {
    case .connectedCount: return count(\.isConnected)
    case .knownCount: return count(\.isKnown)
    default:
      let name = sources[field] ?? ""
      return .of(adapter[BluetoothDaemon.adapter, name], name) { value in
        switch field {
        case .address: value.asHardwareAddress
        case .name: value.asText
        default: value.asFlag
        }
      }
    }
  }

  // MARK: Discovery

  /// Looks for devices only while that is allowed and a session updates (sources P5).
  private func tendDiscovery(_ request: ReadRequest, of adapter: BusObject?) {
    let isWanted =
      request.isUpdating && request.allow.permits(.bluetoothDiscovery)
      && adapter?[BluetoothDaemon.adapter, "Powered"]?.flag != false
    if adapter == nil || !isWanted { return stopDiscovery() }
    if !isDiscovering { return startDiscovery() }
    let isRefused = adapter?[BluetoothDaemon.adapter, "Discovering"]?.flag == false
    if isRefused, machine.clock.now.boot - askedAt >= Self.pause { askForDiscovery() }
  }

  private func startDiscovery() {
    isDiscovering = true
    BluetoothDaemon.note(discovery: path, on: machine, begins: true)
    askForDiscovery()
  }

  private func askForDiscovery() {
    askedAt = machine.clock.now.boot
    let filter: [BusPair] = [
      BusPair(.string("Transport"), .variant(.string("le"))),
      BusPair(.string("DuplicateData"), .variant(.bool(true))),
      BusPair(.string("RSSI"), .variant(.int16(-100))),
    ]
    // A refusal hides nearby devices until the next request; a discovery that already runs is fine.
    tell("SetDiscoveryFilter", [.dictionary(of: "sv", filter)])
    tell("StartDiscovery")
  }

  private func stopDiscovery() {
    guard isDiscovering else { return }
    isDiscovering = false
    BluetoothDaemon.note(discovery: path, on: machine, begins: false)
    tell("StopDiscovery")
  }

  private func tell(_ method: String, _ arguments: [BusValue] = []) {
    machine.bus?.call(
      BusCall(BluetoothDaemon.name, path, BluetoothDaemon.adapter, method, arguments)
    ) { _ in }
  }
}

extension BusObject {
  private func flag(_ property: String) -> Bool {
    self[BluetoothDaemon.device, property]?.flag == true
  }

  /// Whether a device is connected.
  var isConnected: Bool { flag("Connected") }
  /// Whether a device is paired, bonded or trusted.
  var isKnown: Bool { flag("Paired") || flag("Bonded") || flag("Trusted") }
}
