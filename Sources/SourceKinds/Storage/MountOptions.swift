import Gathering
import Ground
import Machine
import Values

/// Whether a mount refuses writes, by the table of mounts, which is taken apart only when it has
/// changed.
final class MountOptions {
  private let mountPoint: String
  private let table: PolledFile
  private var readOnly = KeptOutcome(.notRead)
  private var failure = KeptFailure()

  init(of mountPoint: String, in files: any FileTree) {
    self.mountPoint = mountPoint
    table = PolledFile(MountTable.path, in: files, limit: 1 << 22)
  }

  /// Asks the table.
  func read() -> KeptOutcome {
    do throws(SystemError) {
      if try table.hasChanged() { readOnly = KeptOutcome(meaning(of: table.bytes)) }
      return readOnly
    } catch {
      return failure.outcome(of: error)
    }
  }

  /// The line of the mount in the table last read.
  var raw: RawValue? {
    let lines = Lines(of: table.bytes).filter { MountTable.mount($0)?.mountPoint == mountPoint }
    return lines.last.map { RawValue($0, place: MountTable.path) }
  }

  private func meaning(of text: ArraySlice<UInt8>) -> Outcome {
    if text.isEmpty { return .noData("empty text") }
    let mount = MountTable.mounts(in: text).last { $0.mountPoint == mountPoint }
    return mount.map { .ok(.bool($0.isReadOnly)) } ?? .noData("\(mountPoint) is not mounted")
  }
}
