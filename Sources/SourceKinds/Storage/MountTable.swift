import Gathering
import Values

/// One line of `/proc/self/mountinfo` (proc_pid_mountinfo(5)).
struct Mount: Equatable {
  /// `MAJOR:MINOR` of the file system.
  var device: String
  var mountPoint: String
  var filesystem: String
  var source: String
  /// Whether the mount or the whole file system refuses writes.
  var isReadOnly: Bool
}

/// The mount table, parsed leniently: a line that is none is left out.
enum MountTable {
  static let path = "/proc/self/mountinfo"

  /// The mounts in the order of the table.
  static func mounts(in text: ArraySlice<UInt8>) -> [Mount] {
    Lines(of: text).compactMap(mount)
  }

  /// The mount of one line.
  static func mount(_ line: ArraySlice<UInt8>) -> Mount? {
    let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
    // Optional fields end with a lone hyphen.
    guard words.count >= 9, let hyphen = words[6...].firstIndex(where: { $0.equals("-") }),
      hyphen + 2 < words.count, words[2].contains(UInt8(ascii: ":")), !words[4].isEmpty
    else { return nil }
    let superOptions = hyphen + 3 < words.count ? words[hyphen + 3] : []
    return Mount(
      device: words[2].lenientText, mountPoint: unescaped(words[4]),
      filesystem: unescaped(words[hyphen + 1]), source: unescaped(words[hyphen + 2]),
      isReadOnly: words[5].hasCommaWord("ro") || superOptions.hasCommaWord("ro"))
  }

  /// The text with its octal escapes (`\040`) decoded.
  static func unescaped(_ word: ArraySlice<UInt8>) -> String {
    guard word.contains(UInt8(ascii: "\\")) else { return word.lenientText }
    var bytes: [UInt8] = []
    var rest = word
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      let isEscape =
        byte == UInt8(ascii: "\\") && digits.count == 3
        && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
      guard isEscape else {
        bytes.append(byte)
        continue
      }
      let code = digits.reduce(0) { $0 * 8 + Int($1 - UInt8(ascii: "0")) }
      bytes.append(UInt8(truncatingIfNeeded: code))
      rest = rest.dropFirst(3)
    }
    return bytes.lenientText
  }
}

extension Mount {
  /// Whether the kernel shows itself here, or another mount's files: nothing is stored in it.
  var isPseudo: Bool {
    if filesystem == "overlay" || filesystem == "aufs" { return mountPoint != "/" }
    return Self.pseudo.contains(filesystem)
  }

  /// Whether asking for sizes may wait for another computer or a process.
  var mayBeRemote: Bool {
    filesystem.hasPrefix("fuse.") || filesystem == "fuse" || Self.remote.contains(filesystem)
  }

  /// Whether it is an image: a read-only file system, or one on a loop device.
  var isImage: Bool {
    ["squashfs", "erofs", "iso9660"].contains(filesystem) || source.hasPrefix("/dev/loop")
  }

  /// Whether the file system has a block device, or devices of its own kind.
  var isOnDevice: Bool {
    !device.hasPrefix("0:") || filesystem == "btrfs" || filesystem == "zfs"
  }

  /// Whether a type of file system is an image, in memory or far away.
  static func isUncounted(filesystem: String) -> Bool {
    remote.contains(filesystem) || filesystem.hasPrefix("fuse.")
      || ["squashfs", "erofs", "iso9660", "tmpfs", "ramfs"].contains(filesystem)
  }

  private static let pseudo: Set = [
    "autofs", "binder", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts",
    "devtmpfs", "efivarfs", "fuse.gvfsd-fuse", "fuse.lxcfs", "fuse.portal", "fusectl", "hugetlbfs",
    "mqueue", "nfsd", "nsfs", "pipefs", "proc", "pstore", "ramfs", "resctrl", "rootfs",
    "rpc_pipefs", "securityfs", "selinuxfs", "smackfs", "sockfs", "sysfs", "tracefs", "xenfs",
  ]
  private static let remote: Set = [
    "9p", "afs", "beegfs", "ceph", "cifs", "coda", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs",
    "nfs", "nfs4", "ocfs2", "orangefs", "pvfs2", "smb", "smb2", "smb3", "smbfs", "virtiofs",
  ]
}
