import Glibc

/// A scripted device in a temporary file.
final class Script {
  let path: String

  init(_ text: String) throws {
    var name = Array("/tmp/gathered-test-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw Program.CannotRun(call: "mkstemp", errno: errno) }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  deinit { unlink(path) }

  /// The context on it, with a clock that only the program moves.
  var context: String { "sim:file=\(path)&clock=manual" }
}
