import Gathering
import Machine
import Values

/// The cameras of a machine, as Video4Linux lists them.
enum Camera {
  static let folder = "/sys/class/video4linux"

  /// The first node of each camera, in natural order; codecs and the like are none.
  static func all(on machine: Machine) -> [Instance] {
    let files = machine.files
    let nodes = ((try? files.entries(of: folder)) ?? []).filter {
      $0.hasPrefix("video") && !$0.dropFirst("video".count).isEmpty
        && $0.dropFirst("video".count).allSatisfy(\.isDecimalDigit)
    }
    let awake = awakeMeans(in: files)
    return nodes.sorted(by: NaturalOrder.areInIncreasingOrder).compactMap { node in
      instance(node, awake, in: files)
    }
  }

  private static func instance(
    _ node: String, _ awake: String, in files: any FileTree
  ) -> Instance? {
    let path = "\(folder)/\(node)"
    let attributes = AttributeFolder(path, ["index", "name", "dev"], in: files)
    if let index = attributes.read(0, .number).integer, index != 0 { return nil }
    let label = attributes.read(1, .text).text
    let place = PersistentPath.of("\(path)/device", in: files)
    let number = attributes.read(2, .text).text
    guard place?.hasPrefix("usb-") == true || captures(label, number, in: files) else {
      return nil
    }
    let name = [label, place].compactMap { $0 }.joined(separator: ".")
    var instance = Instance(
      name.isEmpty ? node : name, label: label ?? node, aliases: name.isEmpty ? [] : [node],
      availability: Availability(.available, backend: "v4l2", detail: awake), path: path,
      notes: ["node": "/dev/\(node)"])
    instance.topics = [.use(path: "/dev/\(node)")]
    return instance
  }

  /// Whether a node that is not on USB captures: udev has asked it, or its name says what it is.
  private static func captures(
    _ label: String?, _ number: String?, in files: any FileTree
  ) -> Bool {
    if let number {
      let record = UdevRecord(named: "c\(number)", in: files)
      if let abilities = record.value(of: .videoCapabilities).outcome.text {
        return abilities.has(part: ":capture:")
      }
    }
    let name = label?.lowercased() ?? ""
    return !["codec", "-enc", "-dec", "vpu", "jpeg", "m2m", "-isp"].contains { name.has(part: $0) }
  }

  /// Since this release of Linux a camera sleeps until it streams; before, it woke when opened.
  private static func awakeMeans(in files: any FileTree) -> String {
    let file = PolledFile("/proc/sys/kernel/osrelease", in: files)
    let release = Outcome(reading: file, .text).text ?? ""
    let numbers = release.split { !$0.isDecimalDigit }.prefix(2).compactMap { Int($0) }
    guard numbers.count == 2 else { return "" }
    let isNew = numbers[0] > 6 || numbers[0] == 6 && numbers[1] >= 16
    return isNew ? "awake means streaming" : "awake means open"
  }
}
