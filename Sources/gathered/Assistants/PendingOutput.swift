import Gathering
import Glibc

/// Answers on their way to standard output, which is never waited for.
struct PendingOutput {
  private var bytes: [UInt8] = []
  private var written = 0
  /// A pipe that is ready takes so many bytes at once.
  private static let piece = 4096

  var isEmpty: Bool { written == bytes.count }

  /// How many bytes wait.
  var count: Int { bytes.count - written }

  mutating func put(_ line: String) { bytes += Array((line + "\n").utf8) }

  /// Writes a piece, if standard output is ready for it. Throws `ReaderWentAway`, or a failure.
  mutating func writePiece() throws {
    let piece = bytes[written...].prefix(Self.piece)
    let count = piece.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    if count >= 0 {
      written += count
    } else if errno == EPIPE {
      throw ReaderWentAway()
    } else if errno != EAGAIN, errno != EINTR {
      throw CommandFailure("cannot write: \(SystemText.message(of: errno))")
    }
    if isEmpty { (bytes, written) = ([], 0) }
  }
}
