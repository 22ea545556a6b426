/// What node_exporter leaves out unless it is told otherwise, as Debian builds it.
enum NodeExclusion {
  /// Its `--collector.filesystem.fs-types-exclude`.
  static let fileSystems: Set = [
    "autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts",
    "devtmpfs", "fusectl", "hugetlbfs", "iso9660", "mqueue", "nsfs", "overlay", "proc", "procfs",
    "pstore", "rpc_pipefs", "securityfs", "selinuxfs", "squashfs", "sysfs", "tracefs",
  ]

  private static let folders = ["dev", "proc", "run", "sys", "mnt", "media"]
  private static let containers = ["/var/lib/docker/", "/var/lib/containers/storage/"]

  /// Its `--collector.filesystem.mount-points-exclude`.
  static func mountPoint(_ path: String) -> Bool {
    if containers.contains(where: { path.hasPrefix($0) && path.count > $0.count }) { return true }
    return folders.contains { path == "/\($0)" || path.hasPrefix("/\($0)/") }
  }

  /// Its `--collector.diskstats.device-exclude`: memory, loops, floppies, and partitions whose
  /// names end in digits behind a letter or `p`.
  static func disk(_ name: String) -> Bool {
    let stem = name[...].trimmingDigits
    if stem.count == name.count { return false }
    if ["ram", "loop", "fd"].contains(stem) { return true }
    if let letter = stem.last, ("a"..."z").contains(letter),
      ["hd", "sd", "vd", "xvd"].contains(stem.dropLast())
    {
      return true
    }
    // nvme0n1p
    guard stem.hasPrefix("nvme"), stem.hasSuffix("p") else { return false }
    let space = stem.dropLast()
    let controller = space.trimmingDigits
    guard controller.count < space.count, controller.hasSuffix("n") else { return false }
    let number = controller.dropFirst("nvme".count).dropLast()
    return !number.isEmpty && number.trimmingDigits.isEmpty
  }
}

extension Substring {
  /// Without the decimal digits at its end.
  fileprivate var trimmingDigits: Substring {
    var rest = self
    while let last = rest.utf8.last, (0x30...0x39).contains(last) { rest.removeLast() }
    return rest
  }
}
