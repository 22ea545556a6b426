import Gathering
import Ground
import Machine

/// The bytes of a document that the command line names.
enum DocumentBytes {
  private static let limit = 16 << 20

  /// Reads a file. Throws `io`, and `limit` beyond 16 MiB.
  static func read(_ path: String) throws(SourceError) -> [UInt8] {
    do throws(SystemError) {
      let file = try LiveStorage().open(path, for: .reading)
      let size = try file.size()
      if size <= limit { return try file.bytes(at: 0, count: size) }
    } catch {
      throw .io(errno: error.code, place: path)
    }
    throw .limit("longer than \(limit >> 20) MiB, the limit for graphs")
  }
}
