import Gathering
import Machine
import Values

/// One chip of the hardware monitoring class that is no other kind's sensor again.
struct MonitorChip {
  static let folder = "/sys/class/hwmon"

  /// The driver's name and the place, the latter only where it adds something (`nvme.pci-…`).
  let name: String
  /// The text of `name`, or the kernel's name without it.
  let driver: String
  /// The name of its class folder, which is merely counted.
  let kernelName: String
  /// Its folder of attributes.
  let path: String
  /// The folder of the device it belongs to, without links, if there is one.
  let device: String?

  /// Whether its channels are those of an IIO device.
  let isBridge: Bool

  private let attributes: [String]
  /// How often it may be read so that a graphics card it is a part of gets to sleep.
  private let floor: PollingFloor?

  /// The chips of a machine in natural order of their kernel names, without those of devices known
  /// by an earlier backend (sources H3), and those that show the channels of IIO devices only where
  /// they are asked for.
  static func all(
    on files: any FileTree, besides known: Set<String> = [], withBridges: Bool = false
  ) -> [MonitorChip] {
    let entries = (try? files.entries(of: folder)) ?? []
    return entries.filter { $0.hasPrefix("hwmon") }
      .sorted(by: NaturalOrder.areInIncreasingOrder)
      .compactMap { MonitorChip("\(folder)/\($0)", files) }
      .filter { withBridges || !$0.isBridge }
      .filter { chip in chip.device.map { !known.contains($0) } ?? true }
  }

  /// The chip as an instance of a kind, or one of its sensors.
  func instance(_ sensor: String? = nil, label: String? = nil) -> Instance {
    let suffix = sensor.map { ":\($0)" } ?? ""
    let isNamed = name != kernelName
    var instance = Instance(
      name + suffix, label: label ?? driver, aliases: isNamed ? [kernelName + suffix] : [],
      availability: Availability(.available, backend: "hwmon"), path: path,
      notes: ["backend": "hwmon"])
    instance.pollingFloor = floor
    return instance
  }

  /// A channel of the chip as an instance, under the label that its driver gives it.
  func instance(ofChannel channel: String, in files: any FileTree) -> Instance {
    let file = "\(channel)_label"
    let label =
      has(file) ? AttributeFolder(path, [file], in: files).read(0, .text).text : nil
    var instance = instance(channel, label: "\(driver) \(label ?? channel)")
    instance.notes["channel"] = channel
    return instance
  }

  /// Whether the driver is one of a motherboard's chips, which measure at their pins.
  var isOfMotherboard: Bool {
    ["nct6", "nct7", "it86", "it87", "f71", "f81", "w83", "sch5"].contains(
      where: driver.hasPrefix)
  }

  /// Whether it has an attribute.
  func has(_ attribute: String) -> Bool { attributes.contains(attribute) }

  /// The channels of a type that have an input, or an attribute of another ending, in natural
  /// order: `temp1`, `temp2` …
  func channels(_ type: String, ending: String = "_input") -> [String] {
    attributes.filter { $0.hasPrefix(type) && $0.hasSuffix(ending) }
      .map { String($0.dropLast(ending.count)) }
      .filter {
        !$0.dropFirst(type.count).isEmpty && $0.dropFirst(type.count).allSatisfy(\.isNumber)
      }
      .sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  /// The channels of a type that have an attribute of any of these endings.
  func channels(_ type: String, endingsOf endings: [String]) -> [String] {
    Set(endings.flatMap { channels(type, ending: $0) })
      .sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  private init?(_ path: String, _ files: any FileTree) {
    // Drivers older than the class of attributes keep them with the device.
    let own = (try? files.entries(of: path)) ?? []
    let device = Self.device(of: path, files)
    if let device, Self.isSeenElsewhere(device, files) { return nil }
    self.device = device
    isBridge = device.map { Self.isBridge($0, files) } ?? false
    let isOld = !own.contains("name") && own.contains("device")
    self.path = isOld ? "\(path)/device" : path
    attributes = isOld ? (try? files.entries(of: "\(path)/device")) ?? [] : own
    let named = AttributeFolder(self.path, ["name"], in: files).read(0, .text).text
    kernelName = Self.last(path)
    driver = named ?? kernelName
    let (folder, known) = (self.path, attributes)
    floor = device.flatMap { RuntimePower.floor(ofCard: $0, chip: folder, known, files) }
    let place = device.flatMap { Self.place(of: $0, files) }
    name = place.flatMap { $0 == named ? nil : "\(named ?? "hwmon").\($0)" } ?? driver
  }

  /// The device that a chip's folder belongs to, without links, if there is one.
  static func device(of path: String, _ files: any FileTree) -> String? {
    (try? files.canonicalPath(of: "\(path)/device")) ?? parent(of: path, files)
  }

  /// The device above the class folder, for chips without the link `device`.
  private static func parent(of path: String, _ files: any FileTree) -> String? {
    guard let whole = try? files.canonicalPath(of: path) else { return nil }
    var parts = whole.split(separator: "/").dropLast()
    if parts.last == "hwmon" { parts = parts.dropLast() }
    let isDevice = parts.first == "sys" && parts.count > 3 && parts.last != "virtual"
    return isDevice ? "/" + parts.joined(separator: "/") : nil
  }

  /// The place of a device; one the kernel merely counts (`nvme0`, `phy0`) is where its parent is.
  private static func place(of device: String, _ files: any FileTree) -> String? {
    let place = PersistentPath.of(device, in: files)
    guard let place, place == last(device), isMerelyCounted(place) else { return place }
    return PersistentPath.of("\(device)/device", in: files) ?? place
  }

  /// Letters, then digits, and nothing else.
  private static func isMerelyCounted(_ name: String) -> Bool {
    let digits = name.reversed().prefix(while: \.isDecimalDigit)
    let letters = name.dropLast(digits.count)
    return !digits.isEmpty && !letters.isEmpty && letters.allSatisfy(\.isLatinLetter)
  }

  private static func last(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
  }

  /// Whether the chip's device is a thermal zone or a power supply.
  private static func isSeenElsewhere(_ device: String, _ files: any FileTree) -> Bool {
    if let subsystem = try? files.linkTarget(of: "\(device)/subsystem"),
      ["thermal", "power_supply"].contains(last(subsystem))
    {
      return true
    }
    let parts = device.split(separator: "/")
    return parts.last?.hasPrefix("thermal_zone") == true || parts.dropLast().last == "power_supply"
  }

  /// Whether the chip's device is an IIO device, or the bridge from some.
  private static func isBridge(_ device: String, _ files: any FileTree) -> Bool {
    if let subsystem = try? files.linkTarget(of: "\(device)/subsystem"), last(subsystem) == "iio" {
      return true
    }
    guard let driver = try? files.linkTarget(of: "\(device)/driver") else { return false }
    return ["iio_hwmon", "iio-hwmon"].contains(last(driver))
  }
}
