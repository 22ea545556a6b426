import Gathering
import Machine
import Values

/// A block device behind a file system: a partition or a whole disk.
struct BlockDevice: Equatable {
  /// `MAJOR:MINOR`
  var number: String
  /// The folder of the whole disk below `/sys`.
  var disk: String

  /// Finds the device of a mount by its number, or by its source where the number is anonymous.
  static func of(_ mount: Mount, in files: any FileTree) -> BlockDevice? {
    if !mount.device.hasPrefix("0:") { return numbered(mount.device, in: files) }
    guard mount.filesystem == "btrfs", mount.source.hasPrefix("/dev/") else { return nil }
    let node = (try? files.canonicalPath(of: mount.source)) ?? mount.source
    let name = String(node.dropFirst("/dev/".count))
    return named(name, in: files) ?? mapped(name, in: files)
  }

  private static func numbered(_ number: String, in files: any FileTree) -> BlockDevice? {
    if let folder = try? files.canonicalPath(of: "/sys/dev/block/\(number)") {
      return BlockDevice(number: number, disk: wholeDisk(of: folder, in: files))
    }
    for disk in disks(in: files) {
      if text("\(disk)/dev", in: files) == number {
        return BlockDevice(number: number, disk: root(of: disk, in: files))
      }
      let name = String(disk.split(separator: "/").last ?? "")
      let parts = ((try? files.entries(of: disk)) ?? []).filter { $0.hasPrefix(name) }
      if parts.contains(where: { text("\(disk)/\($0)/dev", in: files) == number }) {
        return BlockDevice(number: number, disk: disk)
      }
    }
    return byStatistics(number, in: files)
  }

  /// The kernel's name for a number by `/proc/diskstats`, where sysfs does not tell.
  private static func byStatistics(_ number: String, in files: any FileTree) -> BlockDevice? {
    let table = PolledFile(DiskCounters.path, in: files, limit: 1 << 20)
    guard let text = try? table.read() else { return nil }
    for line in Lines(of: text) {
      let words = Words(of: line).prefix(3).map(\.lenientText)
      guard words.count == 3, "\(words[0]):\(words[1])" == number else { continue }
      let disk = named(words[2], in: files)?.disk
      return BlockDevice(number: number, disk: disk ?? "")
    }
    return nil
  }

  /// The number of a device: its `dev` file's, or that of its name in `/proc/diskstats`; empty
  /// where neither tells.
  private static func number(
    of folder: String, named name: String, in files: any FileTree
  ) -> String {
    if let number = text("\(folder)/dev", in: files), !number.isEmpty { return number }
    let wanted = Array(name.utf8)
    let table = PolledFile(DiskCounters.path, in: files, limit: 1 << 20)
    for line in Lines(of: (try? table.read()) ?? []) {
      let words = Array(Words(of: line).prefix(3))
      guard words.count == 3, words[2].elementsEqual(wanted) else { continue }
      return "\(words[0].lenientText):\(words[1].lenientText)"
    }
    return ""
  }

  private static func named(_ name: String, in files: any FileTree) -> BlockDevice? {
    for disk in disks(in: files) {
      let own = String(disk.split(separator: "/").last ?? "")
      guard name.hasPrefix(own) else { continue }
      let folder = name == own ? disk : "\(disk)/\(name)"
      guard (try? files.entries(of: folder)) != nil else { continue }
      let number = number(of: folder, named: name, in: files)
      return BlockDevice(number: number, disk: name == own ? root(of: disk, in: files) : disk)
    }
    return nil
  }

  /// `/dev/mapper/NAME`, where the link to `dm-N` was not captured.
  private static func mapped(_ name: String, in files: any FileTree) -> BlockDevice? {
    guard name.hasPrefix("mapper/") else { return nil }
    let wanted = String(name.dropFirst("mapper/".count))
    let disk = disks(in: files).first { text("\($0)/dm/name", in: files) == wanted }
    guard let disk else { return nil }
    let name = String(disk.split(separator: "/").last ?? "")
    let number = number(of: disk, named: name, in: files)
    return BlockDevice(number: number, disk: root(of: disk, in: files))
  }

  private static func disks(in files: any FileTree) -> [String] {
    ((try? files.entries(of: "/sys/block")) ?? [])
      .sorted(by: NaturalOrder.areInIncreasingOrder).map { "/sys/block/\($0)" }
  }

  /// The disk a partition's folder lies in.
  private static func wholeDisk(of folder: String, in files: any FileTree) -> String {
    guard text("\(folder)/partition", in: files) != nil else { return root(of: folder, in: files) }
    return folder.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
  }

  /// The disk below encryption and logical volumes, as long as there is exactly one.
  private static func root(of disk: String, in files: any FileTree) -> String {
    var disk = disk
    for _ in 0..<8 {
      guard let below = try? files.entries(of: "\(disk)/slaves"), below.count == 1,
        let name = below.first,
        let folder = try? files.canonicalPath(of: "\(disk)/slaves/\(name)")
      else { return disk }
      let isPart = text("\(folder)/partition", in: files) != nil
      disk =
        isPart
        ? folder.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
        : folder
    }
    return disk
  }

  private static func text(_ path: String, in files: any FileTree) -> String? {
    guard let bytes = try? PolledFile(path, in: files).read() else { return nil }
    return bytes.trimmed.lenientText
  }
}
