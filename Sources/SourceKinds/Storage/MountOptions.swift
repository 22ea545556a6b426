import Gathering
import Ground
import Machine
import Values

/// Whether a mount refuses writes, by the table of mounts, which is taken apart only when it has
/// changed.
final class MountOptions {
  private let mountPoint: String
  private let table: PolledFile
  private var known: [UInt8] = []
  private var readOnly: Outcome?

  init(of mountPoint: String, in files: any FileTree) {
    self.mountPoint = mountPoint
    table = PolledFile(MountTable.path, in: files, limit: 1 << 22)
  }

  /// Asks the table.
  func read() -> Outcome {
    do throws(SystemError) {
      let text = try table.read()
      if let readOnly, text.equals(known) { return readOnly }
      known = Array(text)
      let outcome = meaning(of: text)
      readOnly = outcome
      return outcome
    } catch {
      readOnly = nil
      return .from(error)
    }
  }

  /// The line of the mount in the table last read.
  var raw: RawValue? {
    let lines = Lines(of: known[...]).filter { MountTable.mount($0)?.mountPoint == mountPoint }
    return lines.last.map { RawValue($0, place: MountTable.path) }
  }

  private func meaning(of text: ArraySlice<UInt8>) -> Outcome {
    if text.isEmpty { return .noData("empty text") }
    let mount = MountTable.mounts(in: text).last { $0.mountPoint == mountPoint }
    return mount.map { .ok(.bool($0.isReadOnly)) } ?? .noData("\(mountPoint) is not mounted")
  }
}
