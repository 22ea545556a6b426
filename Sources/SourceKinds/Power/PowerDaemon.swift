import Gathering
import Ground
import Machine
import Values

/// UPower: the supplies it sees, some of which the kernel does not.
final class PowerDaemon {
  static let name = "org.freedesktop.UPower"
  static let path = "/org/freedesktop/UPower"
  static let device = "org.freedesktop.UPower.Device"

  static let service = BusService(
    name,
    objects: .listed(
      by: BusService.Listing(
        BusService.ObjectInterface(path, name), method: "EnumerateDevices", added: "DeviceAdded",
        removed: "DeviceRemoved", interface: device),
      and: [BusService.ObjectInterface(path, name)]),
    readings: [
      "BatteryLevel", "Capacity", "ChargeCycles", "Energy", "EnergyEmpty", "EnergyFull",
      "EnergyRate", "IconName", "Luminosity", "Online", "Percentage", "State", "Temperature",
      "TimeToEmpty", "TimeToFull", "UpdateTime", "Voltage", "WarningLevel",
    ],
    unit: "upower.service", package: "upower")

  private let machine: Machine
  private let watch: (any Cancellable)?

  /// What is known of it by those who watch it.
  init(on machine: Machine) {
    self.machine = machine
    watch = nil
  }

  /// The daemon, watched for as long as this lives.
  init(watchedOn machine: Machine) {
    self.machine = machine
    watch = machine.bus?.watch(Self.service) {}
  }

  deinit { watch?.cancel() }

  /// Waits at most `limit` nanoseconds until it has reported its devices.
  func await(within limit: Int64) {
    _ = machine.bus?.view(of: Self.service, waiting: limit)
  }

  /// The view of it; nil on a machine without a bus.
  var view: BusView? { machine.view(of: Self.service) }

  /// Its devices without those the kernel has under these names, and without the sum of all.
  func devices(but names: [String]) -> [PowerDevice] {
    devices.filter { $0.isNone(of: names) }
  }

  /// The device with a kernel name.
  func device(named name: String) -> PowerDevice? {
    devices.first { $0.nativeName == name }
  }

  /// The device at a path of the bus.
  func device(at path: String) -> PowerDevice? {
    view?.object(path, Self.device).map { PowerDevice(path: path, object: $0) }
  }

  /// Its devices without the sum of all, in natural order.
  var devices: [PowerDevice] { view.map(Self.devices) ?? [] }

  /// The devices of a view without the sum of all, in natural order.
  static func devices(in view: BusView) -> [PowerDevice] {
    view.paths(with: device)
      .filter { !$0.hasSuffix("/DisplayDevice") }
      .sorted(by: NaturalOrder.areInIncreasingOrder)
      .compactMap { path in view.objects[path].map { PowerDevice(path: path, object: $0) } }
  }
}

extension [PowerDevice] {
  /// Whether any external supply among them is on, if there is one.
  var externalPower: Outcome? {
    let lines = filter(\.isLine).map { $0.isOnline }
    return lines.first { $0.flag == true } ?? lines.first { $0.flag != nil } ?? lines.first
  }

  /// The states of the machine's batteries among them that the kernel does not have.
  func states(but names: [String]) -> [String] {
    filter { $0.isBattery && $0.isSupply && $0.isListed && $0.isNone(of: names) }
      .compactMap { $0.outcome(of: .state).text }
  }
}
