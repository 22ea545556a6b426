import Gathering
import Machine

/// One chip of the hardware monitoring class that is no other kind's sensor again.
struct MonitorChip {
  static let folder = "/sys/class/hwmon"

  /// The driver's name and the place, the latter only where it adds something (`nvme.pci-…`).
  let name: String
  /// The text of `name`, or the kernel's name without it.
  let driver: String
  /// Its folder of attributes.
  let path: String

  private let attributes: [String]

  /// The chips of a machine in natural order of their kernel names.
  static func all(on files: any FileTree) -> [MonitorChip] {
    let entries = (try? files.entries(of: folder)) ?? []
    return entries.filter { $0.hasPrefix("hwmon") }
      .sorted(by: NaturalOrder.areInIncreasingOrder)
      .compactMap { MonitorChip("\(folder)/\($0)", files) }
  }

  /// The channels of a type that have an input, in natural order: `temp1`, `temp2` …
  func channels(_ type: String) -> [String] {
    attributes.filter { $0.hasPrefix(type) && $0.hasSuffix("_input") }
      .map { String($0.dropLast("_input".count)) }
      .filter {
        !$0.dropFirst(type.count).isEmpty && $0.dropFirst(type.count).allSatisfy(\.isNumber)
      }
      .sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  private init?(_ path: String, _ files: any FileTree) {
    // Drivers older than the class of attributes keep them with the device.
    let own = (try? files.entries(of: path)) ?? []
    let device = (try? files.canonicalPath(of: "\(path)/device")) ?? Self.parent(of: path, files)
    if let device, Self.isSeenElsewhere(device, files) { return nil }
    let isOld = !own.contains("name") && own.contains("device")
    self.path = isOld ? "\(path)/device" : path
    attributes = isOld ? (try? files.entries(of: "\(path)/device")) ?? [] : own
    let named = AttributeFolder(self.path, ["name"], in: files).read(0, .text).text
    driver = named ?? Place.lastComponent(path)
    let place = device.flatMap { Place.of(device: $0, in: files) }
    name = place.flatMap { $0 == named ? nil : "\(named ?? "hwmon").\($0)" } ?? driver
  }

  /// The device above the class folder, for chips without the link `device`.
  private static func parent(of path: String, _ files: any FileTree) -> String? {
    guard let whole = try? files.canonicalPath(of: path) else { return nil }
    var parts = whole.split(separator: "/").dropLast()
    if parts.last == "hwmon" { parts = parts.dropLast() }
    let isDevice = parts.first == "sys" && parts.count > 3 && parts.last != "virtual"
    return isDevice ? "/" + parts.joined(separator: "/") : nil
  }

  /// Whether the chip's device is a thermal zone, a power supply or a bridge from IIO.
  private static func isSeenElsewhere(_ device: String, _ files: any FileTree) -> Bool {
    if let subsystem = Place.subsystem(of: device, in: files),
      ["thermal", "power_supply", "iio"].contains(subsystem)
    {
      return true
    }
    if let driver = try? files.linkTarget(of: "\(device)/driver"),
      ["iio_hwmon", "iio-hwmon"].contains(Place.lastComponent(driver))
    {
      return true
    }
    let parts = device.split(separator: "/")
    return parts.last?.hasPrefix("thermal_zone") == true || parts.dropLast().last == "power_supply"
  }
}
