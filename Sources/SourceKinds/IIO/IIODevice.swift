import Gathering
import Ground
import Machine
import Values

/// One device of the kernel's Industrial I/O: a folder of attributes below `/sys/bus/iio/devices`.
struct IIODevice: Sendable {
  static let folder = "/sys/bus/iio/devices"

  /// The kernel's name of it: `iio:device3`.
  let kernelName: String
  /// Its folder of attributes.
  let path: String
  /// The same folder without links: where the device is attached. The path itself if nothing tells.
  let wholePath: String
  /// The names of its attributes.
  var attributes: Set<String>
  /// The driver's name for it: `name`.
  let driver: String?
  /// The firmware's label: `label`.
  let label: String?
  /// The folder of the device it is a function of, if that is known.
  let chip: String?
  /// Where it is attached (sources N7), if that is known.
  let place: String?
  /// Why its buffer, if it has one, is closed to us; nil unless it is only rights that we lack.
  let bufferRefusal: SystemError?

  /// All devices of a machine in natural order of their kernel names.
  static func all(on machine: Machine) throws(SystemError) -> [IIODevice] {
    try machine.iio.files.entries(of: folder)
      .filter { name in
        let number = name.dropFirst("iio:device".count)
        return name.hasPrefix("iio:device") && !number.isEmpty
          && number.allSatisfy(\.isDecimalDigit)
      }
      .sorted(by: NaturalOrder.areInIncreasingOrder)
      .map { IIODevice("\(folder)/\($0)", on: machine) }
  }

  /// The device whose attributes are in a folder.
  init(_ path: String, on machine: Machine) {
    let files = machine.iio.files
    self.path = path
    kernelName = path.split(separator: "/").last.map(String.init) ?? path
    attributes = Set((try? files.entries(of: path)) ?? [])
    wholePath = (try? files.canonicalPath(of: path)) ?? path
    // An identifier may not contain a NUL (sources N2): such a text is no name.
    let text = { (name: String) -> String? in
      let found = Outcome(reading: PolledFile("\(path)/\(name)", in: files), .text).text
      return found.flatMap { $0.utf8.contains(0) ? nil : $0 }
    }
    driver = attributes.contains("name") ? text("name") : nil
    label = attributes.contains("label") ? text("label") : nil
    chip = Self.parent(of: wholePath)
    place = chip.flatMap { PersistentPath.of($0, in: files) }
    let hasBuffer = machine.nature == .live && attributes.contains("scan_elements")
    bufferRefusal = hasBuffer ? Self.refusal(of: path, kernelName, in: files) : nil
  }

  /// Checks permissions only: opening the buffer would take it from its owner (sources A2).
  private static func refusal(
    of path: String, _ kernelName: String, in files: any FileTree
  ) -> SystemError? {
    let elements = (try? files.entries(of: "\(path)/scan_elements")) ?? []
    let switches = elements.first { $0.hasSuffix("_en") }.map { "\(path)/scan_elements/\($0)" }
    let written = ["\(path)/buffer/enable"] + (switches.map { [$0] } ?? [])
    do throws(SystemError) {
      try files.checkAccess(to: "/dev/\(kernelName)", for: .reading)
      for file in written { try files.checkAccess(to: file, for: .writing) }
    } catch {
      let lacksRights = [SystemText.accessDenied, SystemText.notPermitted].contains(error.code)
      return lacksRights ? error : nil
    }
    return nil
  }

  /// The stable name (catalogue 3.2): driver, label, and the place unless it is the same.
  var name: String {
    let parts = [driver, label, place == driver ? nil : place].compactMap { $0 }
    return parts.isEmpty ? kernelName : parts.joined(separator: ".")
  }

  /// The folder of the HID sensor hub it belongs to; nil if it belongs to none, or none is seen.
  var hub: String? {
    let parts = wholePath.split(separator: "/")
    guard let sensor = parts.lastIndex(where: { $0.hasPrefix("HID-SENSOR-") }) else { return nil }
    return "/" + parts[..<sensor].joined(separator: "/")
  }

  /// Whether it is a sensor of a HID hub: by where it is attached, or, where that is not seen, by
  /// the names the kernel's drivers give.
  var isOnHub: Bool {
    if hub != nil { return true }
    guard Self.parent(of: wholePath) == nil, let driver else { return false }
    return Self.hubNames.contains(driver)
  }

  /// How often its attributes may be read (catalogue 3.1).
  var pollingFloor: PollingFloor {
    isOnHub
      ? PollingFloor(250_000_000, "each read wakes the sensor hub, and some hang when read faster")
      : PollingFloor(10_000_000, "reading the chip's attributes takes its bus for milliseconds")
  }

  /// udev's value for a key of the device; none for another computer's device.
  func udev(_ key: UdevRecord.Key, on machine: Machine) -> (outcome: Outcome, raw: RawValue?) {
    let none = Outcome.unsupported("udev has no \(key.rawValue)")
    if machine.nature == .remote { return (none, nil) }
    var records = ["+iio:\(kernelName)"]
    if attributes.contains("dev"),
      let text = try? PolledFile("\(path)/dev", in: machine.iio.files).read()
    {
      let number = text.trimmed.lenientText
      let isNumber = number.allSatisfy { $0.isDecimalDigit || $0 == ":" }
      if isNumber { records.insert("c\(number)", at: 0) }
    }
    for record in records {
      let found = UdevRecord(named: record, in: machine.files).value(of: key)
      if found.outcome.status != .unsupported { return found }
    }
    return (none, nil)
  }

  /// The device it is a function of: the folder above, in the tree of devices.
  private static func parent(of wholePath: String) -> String? {
    let parts = wholePath.split(separator: "/")
    guard parts.count > 3, parts[0] == "sys", parts[1] == "devices" else { return nil }
    return "/" + parts.dropLast().joined(separator: "/")
  }

  private static let hubNames: Set = [
    "accel_3d", "gravity", "gyro_3d", "magn_3d", "incli_3d", "dev_rotation",
    "relative_orientation", "geomagnetic_orientation", "als", "press", "prox", "temperature",
    "humidity",
  ]

  // MARK: Channels

  /// Whether a channel has a value: `in_accel_x_input` or `in_accel_x_raw`.
  func has(_ channel: String) -> Bool {
    attributes.contains("in_\(channel)_raw") || attributes.contains("in_\(channel)_input")
  }

  /// Whether a type has all of x, y and z.
  func hasAxes(_ type: String) -> Bool {
    IIODevice.axes.allSatisfy { has("\(type)_\($0)") }
  }

  static let axes = ["x", "y", "z"]

  /// The attribute that applies to a channel: its own first, then the one shared by its type, its
  /// direction and the whole device: `in_accel_x_scale`, `in_accel_scale`, `in_scale`, `scale`.
  func attribute(_ suffix: String, of channel: String, direction: String = "in") -> String? {
    var stem = channel[...]
    while true {
      let shared = stem.split(separator: "-").map { part in
        part.reversed().drop(while: \.isDecimalDigit).reversed()
      }
      let plain = shared.map { String($0) }.joined(separator: "-")
      for name in [String(stem), plain] {
        let attribute = "\(direction)_\(name)_\(suffix)"
        if attributes.contains(attribute) { return attribute }
      }
      guard let end = stem.lastIndex(of: "_") else { break }
      stem = stem[..<end]
    }
    return ["\(direction)_\(suffix)", suffix].first { attributes.contains($0) }
  }

  /// The channels of a type that have a value, by modifier in the order given, then in natural
  /// order: `temp`, `temp0`, `temp_ambient`. An empty modifier stands for none.
  func channels(_ type: String, modifiers: [String] = [""]) -> [String] {
    let names = Set(
      attributes.compactMap { attribute -> String? in
        for suffix in ["_raw", "_input"] where attribute.hasSuffix(suffix) {
          return String(attribute.dropLast(suffix.count))
        }
        return nil
      })
    return modifiers.flatMap { modifier in
      names.filter { Self.isChannel($0, of: type, modifier) }.map { String($0.dropFirst(3)) }
        .sorted(by: NaturalOrder.areInIncreasingOrder)
    }
  }

  /// Whether a name is `in_`, the type, an index or none, and the modifier or none.
  private static func isChannel(_ name: String, of type: String, _ modifier: String) -> Bool {
    let stem = "in_\(type)"
    guard name.hasPrefix(stem) else { return false }
    let rest = name.dropFirst(stem.count).drop(while: \.isDecimalDigit)
    return rest == (modifier.isEmpty ? "" : "_\(modifier)")
  }

  /// The same device with a channel's scale and offset out of sight: its values are raw numbers.
  func withoutScale(of channel: String) -> IIODevice {
    var device = self
    for suffix in ["scale", "offset"] {
      while let shared = device.attribute(suffix, of: channel) { device.attributes.remove(shared) }
    }
    return device
  }
}
