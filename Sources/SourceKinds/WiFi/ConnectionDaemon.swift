import Gathering
import Machine
import Values

/// NetworkManager, as far as it knows of wireless links: percent, and no dBm.
///
/// Of its many objects the devices are followed, and of an access point the one in use only.
enum ConnectionDaemon {
  static let name = "org.freedesktop.NetworkManager"
  static let path = "/org/freedesktop/NetworkManager"
  static let device = "\(name).Device"
  static let wireless = "\(name).Device.Wireless"
  static let accessPoint = "\(name).AccessPoint"
  static let connection = "\(name).Connection.Active"

  static let service = BusService(
    name,
    objects: .listed(
      by: BusService.Listing(
        BusService.ObjectInterface(path, name), method: "GetDevices", added: "DeviceAdded",
        removed: "DeviceRemoved", interface: device),
      and: [BusService.ObjectInterface(path, name)]),
    leads: [BusService.Lead(wireless, "ActiveAccessPoint", to: accessPoint)],
    unit: "NetworkManager.service", package: "network-manager")

  /// The wireless devices it manages, by the kernel's names: the paths of their objects. Of a link
  /// it does not manage it knows nothing.
  static func devices(in view: BusView?) -> [String: String] {
    guard let view else { return [:] }
    var found: [String: String] = [:]
    for path in view.paths(with: device).sorted(by: NaturalOrder.areInIncreasingOrder) {
      guard let object = view.objects[path], object[device, "DeviceType"]?.integer == 2,
        let state = object[device, "State"]?.integer, state > 10,
        let interface = object[device, "Interface"]?.interfaceName, found[interface] == nil
      else { continue }
      found[interface] = path
    }
    return found
  }

  /// Whether it has turned all radios off; nil if they are on.
  static func block(in view: BusView?) -> (detail: String, remedy: String)? {
    let known = view?.object(path, name)
    if known?[name, "WirelessHardwareEnabled"]?.flag == false {
      return (
        "NetworkManager sees Wi-Fi turned off by a switch",
        "turn the radio on with the device's own switch or key"
      )
    }
    if known?[name, "WirelessEnabled"]?.flag == false {
      return ("NetworkManager has turned Wi-Fi off", "run: nmcli radio wifi on")
    }
    return nil
  }
}

extension BusValue {
  /// A text that can be the kernel's name of a network interface.
  var interfaceName: String? {
    guard let text, (1...15).contains(text.utf8.count), text != ".", text != "..",
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x2F && $0 != 0x3A && $0 != 0x7F })
    else { return nil }
    return text
  }
}
