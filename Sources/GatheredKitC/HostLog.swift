import CGatheredKit
import Gathering
import Ground

/// The log handler of the process: one function of the host, whose calls never overlap.
///
/// No thread waits for a handler: while it runs on one thread, lines of other threads queue, and
/// that thread hands them over too. No lock is held while it runs.
enum HostLog {
  private static let queue = ProcessLocal { _ in LogQueue() }

  /// Puts a handler in place of the one before; nil for none.
  static func set(_ handler: LogHandler?) {
    Log.setReceiver { level, _, text in HostLog.write(level.rawValue, "patch") { text } }
    // The old one goes here, outside the lock, or when its running call has returned.
    _ = queue.value.exchange(handler)
  }

  /// Hands a line to the handler, if there is one and it wants such lines.
  static func write(_ level: Int32, _ subsystem: StaticString, _ message: () -> String) {
    let queue = Self.queue.value
    guard queue.wants(level) else { return }
    queue.put(HostLogLine(level: level, subsystem: subsystem, message: message()))
    while let (handler, line) = queue.next() { handler.call(line) }
  }
}

/// One line of the log.
struct HostLogLine {
  let level: Int32
  let subsystem: StaticString
  let message: String
}

/// A function of the host; its destroy function runs when the last reference goes.
final class LogHandler: @unchecked Sendable {
  // Safe: constant; the host's data is the host's to share.
  let level: Int32
  private let function: gkit_log_fn
  private let userData: UnsafeMutableRawPointer?
  private let destroy: gkit_destroy_fn?

  init(
    level: Int32, function: @escaping gkit_log_fn, userData: UnsafeMutableRawPointer?,
    destroy: gkit_destroy_fn?
  ) {
    self.level = level
    self.function = function
    self.userData = userData
    self.destroy = destroy
  }

  deinit {
    LockRank.expectNoLock("lets go of a host's log function")
    destroy?(userData)
  }

  func call(_ line: HostLogLine) {
    line.message.withCString { message in
      line.subsystem.withUTF8Buffer { subsystem in
        subsystem.withMemoryRebound(to: CChar.self) { characters in
          function(line.level, characters.baseAddress, message, userData)
        }
      }
    }
  }
}

/// The handler in place, the lines that wait for it and the thread that hands them over.
private final class LogQueue: Sendable {
  private struct State {
    var handler: LogHandler?
    var lines: [HostLogLine] = []
    var thread: UInt = 0
  }

  /// Lines beyond these are dropped: the handler is slower than what it is told of.
  private static let capacity = 256

  private let state = Monitor(State())

  func exchange(_ handler: LogHandler?) -> LogHandler? {
    state.withLock { state in
      defer { state.handler = handler }
      return state.handler
    }
  }

  /// Not from inside the handler, which would go on for ever.
  func wants(_ level: Int32) -> Bool {
    state.withLock { state in
      guard let handler = state.handler else { return false }
      return level >= handler.level && state.thread != CurrentThread.identity
    }
  }

  func put(_ line: HostLogLine) {
    state.withLock { state in
      if state.lines.count < Self.capacity { state.lines.append(line) }
    }
  }

  /// The next line, for the thread that hands over; nil when there is none, or another one does.
  func next() -> (LogHandler, HostLogLine)? {
    state.withLock { state in
      let thread = CurrentThread.identity
      guard state.thread == 0 || state.thread == thread else { return nil }
      guard let handler = state.handler, !state.lines.isEmpty else {
        state.lines = []
        state.thread = 0
        return nil
      }
      state.thread = thread
      return (handler, state.lines.removeFirst())
    }
  }
}
