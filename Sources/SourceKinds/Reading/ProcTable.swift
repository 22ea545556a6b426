import Ground
import Machine

/// A table of `/proc` read whole, however long, by one call as long as it is short.
final class ProcTable {
  /// The largest table accepted.
  static let limit = 1 << 20

  private let files: any FileTree
  private var file: PolledFile
  private var isLong = false

  /// A table of a machine.
  init(_ path: String, in files: any FileTree) {
    self.files = files
    file = PolledFile(path, in: files)
  }

  /// The path on the machine.
  var path: String { file.path }

  /// The bytes of the last successful read.
  var bytes: ArraySlice<UInt8> { file.bytes }

  /// Reads the table from its start.
  func read() throws(SystemError) -> ArraySlice<UInt8> {
    do {
      return try file.read()
    } catch {
      guard error.code == .fileTooLarge, !isLong else { throw error }
      isLong = true
      file = PolledFile(path, in: files, limit: Self.limit)
      return try file.read()
    }
  }
}
