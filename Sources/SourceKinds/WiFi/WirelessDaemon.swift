import Gathering
import Machine
import Values

/// iwd: its devices, what a station is connected to, and what it measures for who asks.
enum WirelessDaemon {
  static let name = "net.connman.iwd"
  static let device = "\(name).Device"
  static let station = "\(name).Station"
  static let network = "\(name).Network"
  static let diagnostic = "\(name).StationDiagnostic"
  static let accessPoint = "\(name).AccessPoint"
  static let adHoc = "\(name).AdHoc"

  static let service = BusService(
    name, objects: .managed(root: "/"), unit: "iwd.service", package: "iwd")

  /// Its devices by the kernel's names: the paths of their objects.
  static func devices(in view: BusView?) -> [String: String] {
    guard let view else { return [:] }
    var found: [String: String] = [:]
    for path in view.paths(with: device).sorted(by: NaturalOrder.areInIncreasingOrder) {
      let name = view.objects[path]?[device, "Name"]?.interfaceName
      if let name, found[name] == nil { found[name] = path }
    }
    return found
  }

  /// Whether it has turned a device off; nil if it is on.
  static func block(of path: String, in view: BusView?) -> (detail: String, remedy: String)? {
    guard view?.object(path, device)?[device, "Powered"]?.flag == false else { return nil }
    let name = view?.objects[path]?[device, "Name"]?.interfaceName ?? "NAME"
    return (
      "iwd has turned \(name) off", "run: iwctl device \(name) set-property Powered on"
    )
  }
}
