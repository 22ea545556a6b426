import Glibc

/// A file that goes with its last reference.
final class TemporaryFile {
  let path: String

  init(_ bytes: [UInt8]) throws {
    var name = Array("/tmp/gathered-test-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw Program.CannotRun(call: "mkstemp", errno: errno) }
    defer { close(descriptor) }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Program.CannotRun(call: "write", errno: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Its bytes as text, as they are now; nil where it cannot be read.
  var content: String? {
    guard let stream = fopen(path, "r") else { return nil }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  deinit { unlink(path) }
}
