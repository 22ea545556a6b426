import Gathering
import Ground
import Machine
import Values

/// Finds the control group (version 2) a process of the machine is in.
enum ControlGroup {
  /// The folder of our own group below `/sys/fs/cgroup`.
  ///
  /// Throws the errno of the table of groups; nil when it names no group of version 2. A captured
  /// tree without `/proc/self` answers for its first process.
  static func folder(on files: any FileTree) throws(SystemError) -> String? {
    var text: ArraySlice<UInt8>
    do {
      text = try PolledFile("/proc/self/cgroup", in: files).read()
    } catch {
      guard error.code == SystemText.noEntry else { throw error }
      text = try PolledFile("/proc/1/cgroup", in: files).read()
    }
    for line in text.split(separator: 10) where line.starts(with: "0::/".utf8) {
      let path = NumberText.trimmed(line.dropFirst(4)).lenientText
      return path.isEmpty ? "/sys/fs/cgroup" : "/sys/fs/cgroup/\(path)"
    }
    return nil
  }
}
