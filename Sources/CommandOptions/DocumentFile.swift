import Gathering
import Glibc

/// The document of a graph that a command line names.
public struct DocumentFile: Sendable {
  /// Its name in messages.
  public let name: String
  /// What is in it.
  public let bytes: [UInt8]

  /// The largest size of a document, in bytes.
  private static let limit = 16 << 20

  /// Reads a file, or standard input for `-`, to its end.
  public init(at path: String) throws(DocumentError) {
    if path == "-" {
      name = "standard input"
      bytes = try Self.bytes(of: STDIN_FILENO, named: name)
      return
    }
    name = path
    // A path of the command line may be of a pipe, which only a plain open and read can take.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(errno, of: path) }
    defer { close(descriptor) }
    bytes = try Self.bytes(of: descriptor, named: path)
  }

  private static func bytes(
    of descriptor: Int32, named name: String
  ) throws(DocumentError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += chunk.prefix(count)
      } else if errno != EINTR {
        throw failure(errno, of: name)
      }
    }
    throw DocumentError(
      message: "\(name): longer than \(limit >> 20) MiB, the limit for graphs")
  }

  private static func failure(_ errno: Int32, of name: String) -> DocumentError {
    DocumentError(message: "\(name): \(SystemText.message(of: errno))")
  }
}

/// That a document cannot be read.
public struct DocumentError: Error {
  /// Its name and why, in one sentence.
  public let message: String
}
