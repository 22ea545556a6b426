import Ground

/// The library's log: its lines go to the receiver that is set; without one they are dropped.
public enum Log {
  /// How grave a line is, numbered as `GKIT_LOG_…` in C.
  public enum Level: Int32, Sendable, CaseIterable {
    case trace = 0
    case debug = 1
    case info = 2
    case notice = 3
    case warning = 4
    case error = 5

    /// The word in options and documents.
    public var word: String {
      switch self {
      case .trace: "trace"
      case .debug: "debug"
      case .info: "info"
      case .notice: "notice"
      case .warning: "warning"
      case .error: "error"
      }
    }
  }

  /// The receiver of lines: level, part of the library, and text.
  public typealias Receiver = @Sendable (Level, String, String) -> Void

  private static let receiver = Monitor<Receiver?>(nil)

  /// Puts a receiver in place of the one before; nil for none. It may be called on any thread.
  public static func setReceiver(_ new: Receiver?) {
    // The former receiver is released outside the lock.
    _ = receiver.withLock { receiver in
      defer { receiver = new }
      return receiver
    }
  }

  /// Passes a line to the receiver, if there is one.
  public static func write(
    _ level: Level, _ subsystem: String, _ message: @autoclosure () -> String
  ) {
    receiver.withLock { $0 }?(level, subsystem, message())
  }
}
