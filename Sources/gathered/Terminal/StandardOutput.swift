import Gathering
import Glibc

/// The output pipe was closed: the command ends without a message.
struct ReaderWentAway: Error {}

/// Where results go.
enum StandardOutput {
  /// Writes a text whole. Throws `ReaderWentAway`, or a failure when the output cannot take it.
  static func write(_ text: String) throws {
    guard let errno = writeAll(text, to: STDOUT_FILENO) else { return }
    if errno == EPIPE { throw ReaderWentAway() }
    throw CommandFailure("cannot write: \(SystemText.message(of: errno))")
  }
}

/// Where reasons and remedies go.
enum StandardError {
  /// Writes a text. A failure is ignored: there is no place left to report it.
  static func write(_ text: String) { _ = writeAll(text, to: STDERR_FILENO) }
}

/// Writes a text to a descriptor, blocking or not; the errno of a failure.
private func writeAll(_ text: String, to descriptor: Int32) -> Int32? {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if written >= 0 {
      rest = rest.dropFirst(written)
    } else if errno == EAGAIN {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&waiting, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return nil
}
