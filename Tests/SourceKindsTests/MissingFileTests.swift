import GatheredKitTesting
import Gathering
import Ground
import Testing

@testable import Machine
@testable import SourceKinds

/// Takes every file and link of every fixture machine away, one at a time (sources V5, M4).
@Suite struct MissingFileTests {
  @Test(arguments: try fixtureMachineNames())
  func `a missing file costs only what is read from it`(name: String) throws {
    let tree = KnownTree(try machine(named: name).files)
    let paths = tree.files()
    for kind in SourceCatalogue.all {
      let whole = HidingFiles(tree)
      let usual = readings(of: kind, whole)
      let touched = whole.touched
      for path in paths where !usual.isEmpty && touched.contains(path) {
        let found = readings(of: kind, HidingFiles(tree, without: path))
        let loss = Loss(kind: kind, path: path, tree: tree)
        for change in loss.unexplained(usual, found) {
          Issue.record("\(name) without \(path): \(kind.kind)|\(change)")
        }
      }
    }
  }

  private func readings(of kind: any SourceKind, _ files: HidingFiles) -> Readings {
    let machine = Machine(
      nature: .captured, files: files, notices: nil, clock: VirtualTime(),
      switches: CapturedSwitches(files: files), addresses: nil,
      iio: IIOAccess(files: files, scans: CapturedScans(files: files), mayBlock: false),
      clocks: .captured(in: files))
    let harness = KindHarness(kind, machine: machine)
    var found: Readings = [:]
    // One that cannot be opened is there all the same, without values.
    for name in harness.names { found[name] = (try? harness.readWithPlaces(name)) ?? [:] }
    return found
  }
}

/// Values by instance and key, each with the place it came from.
private typealias Readings = [String: [String: (outcome: Outcome, place: String?)]]

/// One file that is not there, and what may change with it.
///
/// A value changes with the file it came from, as its raw value tells, and so do the aggregate and
/// what is derived. Values made of several files, and files that say what an instance is, are
/// listed: whatever else changes is a fault.
private struct Loss {
  let kind: any SourceKind
  let path: String
  let tree: KnownTree

  func unexplained(_ usual: Readings, _ found: Readings) -> [String] {
    let moved = Set(usual.keys).symmetricDifference(found.keys)
    if !moved.isEmpty && !mayMoveInstances { return moved.map { "\($0) came or went" } }
    // Of several of one name the others are counted anew.
    let renamed = Set(moved.map(Self.plain))
    return usual.flatMap { name, values -> [String] in
      guard let now = found[name], !renamed.contains(Self.plain(name)), name != "aggregate" else {
        return []
      }
      return values.compactMap { key, value in
        guard let other = now[key] else {
          return mayMoveInstances ? nil : "\(name)/\(key) is no longer a property"
        }
        return isExplained(key, value, other.outcome)
          ? nil : "\(name)/\(key): \(value.outcome) became \(other.outcome)"
      }
    }
  }

  private static func plain(_ name: String) -> String { String(name.prefix { $0 != "~" }) }

  private var file: Substring { path.split(separator: "/").last ?? "" }

  private func isExplained(
    _ key: String, _ value: (outcome: Outcome, place: String?), _ other: Outcome
  ) -> Bool {
    if value.outcome == other || !(value.outcome.hasPayload || other.hasPayload) { return true }
    if let place = value.place, tree.way(of: place).places.contains(path) { return true }
    if file == "name" && key == "driver" { return true }
    let isLink = (try? tree.tree.linkTarget(of: path)) != nil
    if isLink && Self.fused.contains(kind.kind) { return true }
    // A panel that is not there leaves its backlight to the only screen there is.
    if isLink && kind.kind == "screen" { return true }
    let flags = kind.properties.first { $0.key == key }?.flags ?? []
    if flags.contains(.derived) { return true }
    if Self.makers.contains(where: { $0.makes(key, of: kind.kind, from: path) }) { return true }
    return isOfChannel(value.place)
  }

  /// A scale, an offset, a mounting and each axis belong to all numbers of their channel, and any
  /// channel to what is fused of several.
  private func isOfChannel(_ place: String?) -> Bool {
    guard file.hasPrefix("in_") else { return false }
    guard !Self.fused.contains(kind.kind), !file.hasSuffix("mount_matrix"), let place else {
      return true
    }
    // What has no type of its own, in_scale, belongs to the whole device.
    if ["in_scale", "in_offset"].contains(where: { file == $0 }) { return true }
    let type = "in_" + file.dropFirst(3).prefix { $0.isLetter }
    return place.split(separator: "/").last?.hasPrefix(type) ?? false
  }

  private static let fused: Set = ["compass", "device_attitude"]

  /// Whether the file says what instances there are, or how they are called.
  private var mayMoveInstances: Bool {
    let isLink = (try? tree.tree.linkTarget(of: path)) != nil
    let isChannel = ["_input", "_raw"].contains { file.hasSuffix($0) }
    if isLink || isChannel || Self.finders[kind.kind]?.contains(String(file)) == true {
      return true
    }
    let names = ["name", "label", "path", "light"]
    return names.contains { file == $0 } && (path.contains("/iio:") || path.contains("/hwmon"))
      || file == "path"
  }

  private static let finders: [String: Set<String>] = [
    "ambient_light": ["name", "light"], "voltage": ["in0_lcrit_alarm"],
    "battery": ["type", "present", "scope", "model_name", "serial_number", "machine-id"],
    "cpu": ["stat"], "fan": ["pwm1"],
    "disk": ["model", "name", "serial", "dev", "b8:0", "b8:16"], "memory": ["meminfo"],
    "network": ["name_assign_type"],
    "gpu": ["class", "load"],
    "power": ["name", "type", "present", "scope", "power1_average", "in1_label", "class"],
    "proximity": ["sw", "name"], "screen": ["edid", "status", "machine-id"],
    "storage": ["mountinfo"],
    "switches": ["sw", "name"], "thermal": ["type"], "wifi": ["uevent"],
    "time": ["adjtimex", "clock_name", "name"],
    "unit": ["cgroup.controllers", "cgroup.events"],
  ]

  /// A file that values are made of besides the one they are read from.
  private struct Maker {
    let kind: String
    /// A part of the file's path.
    let part: String
    /// None for all.
    let keys: Set<String>

    init(_ kind: String, _ part: String, _ keys: String...) {
      self.kind = kind
      self.part = part
      self.keys = Set(keys)
    }

    func makes(_ key: String, of kind: String, from path: String) -> Bool {
      self.kind == kind && (keys.isEmpty || keys.contains(key)) && path.contains(part)
    }
  }

  private static let makers =
    [
      Maker("battery", "/charge_", "level", "time_to_full", "time_to_empty"),
      Maker("battery", "/energy_", "level", "time_to_full", "time_to_empty"),
      Maker("battery", "/power_now", "time_to_full", "time_to_empty"),
      Maker("battery", "/status", "time_to_full", "time_to_empty"),
      Maker(
        "battery", "/voltage_min_design", "energy", "energy_full", "energy_full_design",
        "time_to_full", "time_to_empty"),
      Maker("battery", "/voltage_now", "power", "time_to_full", "time_to_empty"),
      Maker("battery", "/current_now", "power", "time_to_full", "time_to_empty"),
      Maker("battery", "/type", "external_power"), Maker("battery", "/online", "external_power"),
      Maker("device_attitude", "/sampling_frequency", "sampling_frequency"),
      Maker("device_metadata", "/proc/cpuinfo", "logical_cpus"),
      // What measures a drive's temperature, and all its disks.
      Maker("disk", "/hwmon", "temperature"), Maker("disk", "/size", "size"),
      Maker("disk", "/sys/block/", "size"), Maker("disk", "/device", "size"),
      // The machine id is confidential: no raw value is kept of it.
      Maker("device_metadata", "/etc/machine-id", "device_id"),
      Maker("fan", "_fault", "speed"), Maker("fan", "_alarm", "alarm"),
      // What driver a card has decides how it is asked, and its labels what is found.
      Maker("gpu", "/driver"), Maker("gpu", "_label"), Maker("gpu", "/vendor", "vendor"),
      Maker("gpu", "/gt", "utilization", "frequency", "frequency_maximum", "throttle"),
      Maker("gpu", "/gpu_stats", "utilization"), Maker("gpu", "/name"),
      Maker("power", "/driver"),
      Maker("memory", "/cgroup", "cgroup_current", "cgroup_limit"),
      Maker("network", "/uevent", "type"),
      Maker("power", "/powercap/"), Maker("power", "/power_supply/", "power"),
      Maker("power", "power1_", "limit"),
      Maker("proximity", "/.gkit/switches", "near"), Maker("proximity", "nearlevel", "near"),
      Maker("proximity", "/in_proximity", "near", "near_level"),
      Maker("screen", "/max_brightness", "brightness"),
      // It says which of two backlights is the panel's.
      Maker(
        "screen", "/type", "brightness", "brightness_raw", "brightness_max", "backlight_type"),
      Maker("switches", "/.gkit/switches"), Maker("steps", "/in_activity_", "activity"),
      Maker(
        "storage", "/.gkit/statvfs", "total", "free", "available", "inodes_total", "inodes_free"),
      Maker("temperature", "_fault", "temperature"),
      Maker("thermal", "/temp", "state"), Maker("voltage", "_label", "voltage", "average"),
      Maker("voltage", "_alarm", "alarm"), Maker("voltage", "_max", "minimum"),
      Maker("current", "_alarm", "alarm"),
      Maker(
        "thermal", "/trip_point_", "state", "trip_passive", "trip_active", "trip_hot",
        "trip_critical"),
      Maker("unit", "/memory.max", "memory_limit"),
      // Without the container's own group nothing is above the others.
      Maker("unit", "/cgroup.events", "parent"),
    ] + recorded

  /// udev's record of a sensor is found by its number.
  private static let recorded = ["/dev", "/run/udev/data/"].flatMap { part in
    [
      Maker("proximity", part, "near", "near_level"), Maker("iio", part, "location"),
      Maker("device_attitude", part, "location", "attitude", "frame"),
      Maker("accelerometer", part, "location", "mount_matrix", "frame", "acceleration"),
    ]
  }
}
