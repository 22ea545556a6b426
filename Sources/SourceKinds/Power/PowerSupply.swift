import Gathering
import Machine
import Values

/// One entry of `/sys/class/power_supply`, with the data that identifies it.
struct PowerSupply {
  enum Kind { case battery, ups, external, other }
  enum Scope { case system, device }

  let name: String
  let type: Kind
  let scope: Scope
  /// Whether a battery is really in its bay.
  let isPresent: Bool
  private let model: String?

  /// All supplies of a machine in natural order.
  static func all(on files: any FileTree) -> [PowerSupply] {
    names(on: files).map { PowerSupply($0, files) }
  }

  /// The names of all supplies in natural order.
  static func names(on files: any FileTree) -> [String] {
    ((try? files.entries(of: Battery.folder)) ?? [])
      .sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  private init(_ name: String, _ files: any FileTree) {
    let attributes = AttributeFolder(
      "\(Battery.folder)/\(name)", ["type", "scope", "present", "model_name"], in: files)
    self.name = name
    type =
      switch attributes.read(0, .text).text {
      case "Battery": .battery
      case "UPS": .ups
      case "Mains", "Wireless", "BrickID": .external
      case .some(let text) where text.hasPrefix("USB"): .external
      default: .other
      }
    scope = attributes.read(1, .text).text == "Device" ? .device : .system
    isPresent = attributes.number(2).integer != 0
    model = attributes.read(3, .name).text
  }

  /// Whether it is an instance of the kind.
  var isListed: Bool { (type == .battery && isPresent) || type == .ups }

  /// Its name for people.
  var label: String { model ?? name }

  /// The kernel's name where it names by role; for a device's own battery its model and the
  /// digest of its serial.
  func instanceName(on files: any FileTree) -> String {
    guard scope == .device else { return name }
    let folder = AttributeFolder("\(Battery.folder)/\(name)", ["serial_number"], in: files)
    let machine = MachineIdentity.of(files)
    let plain = withoutCounter
    let digest = machine.digest(ofIdentityIn: folder.read(0, .name).text ?? plain)
    let word = HardwareAddress.first(in: plain) == nil ? plain : "device"
    return "\(model ?? word).\(digest)"
  }

  /// `hidpp_battery_3` is counted as it comes; `hid-aa:bb-battery` is not.
  private var withoutCounter: String {
    let stem = name.reversed().drop(while: \.isNumber)
    let end = stem.drop { $0 == "_" || $0 == "-" || $0 == "." }
    return end.isEmpty ? name : String(end.reversed())
  }
}
