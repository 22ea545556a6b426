import Glibc

/// What the server says of itself, on standard error.
struct ServerLog: Sendable {
  /// Prints a line that says whose it is.
  func note(_ text: String) { line("gathered-serve: \(text)") }

  /// Prints a line.
  func line(_ text: String) { StandardText.write(text + "\n", to: STDERR_FILENO) }
}

/// Text on a standard stream, at once.
enum StandardText {
  /// Writes all of it, unless the other end has gone.
  static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
