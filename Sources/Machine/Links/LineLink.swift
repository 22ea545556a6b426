public import Ground

/// A peer that sends lines of text while the link is open: a daemon's socket, a serial port.
public protocol LineLink: Sendable {
  /// Connects, and connects again after 1, 2, 4 … 30 s whenever the connection is lost, until
  /// cancelled.
  ///
  /// `receive` is called on one thread at a time, never on the caller's; its response is carried
  /// out before the next call. Opening never fails and never waits.
  func open(
    _ receive: @escaping @Sendable (LineEvent) -> LineResponse
  ) -> any LineConnection
}

/// One opening of a link.
public protocol LineConnection: Cancellable {
  /// Lets `called` happen soon, if the connection is there: an answer to it can send. Any thread,
  /// and never waits.
  func call()
}

/// An event on a connection.
public enum LineEvent: Equatable, Sendable {
  /// It has been made.
  case opened
  /// A whole line, without the line feed and carriage return that ended it.
  case line([UInt8])
  /// Nothing came for as long as the last answer wanted to wait.
  case silence
  /// The owner has called, once or more often.
  case called
  /// It could not be made, or is lost: ECONNREFUSED, ENOTCONN for one closed by the other side …
  case closed(SystemError)
}

/// The response to an event.
public struct LineResponse: Equatable, Sendable {
  /// The bytes to send.
  public var send: [UInt8]
  /// After how many nanoseconds without a line `silence` is wanted; nil for never.
  public var patience: Int64?
  /// Ends this connection with an errno; the next one is made as after any loss.
  public var hangUp: Int32?
  /// Whether the other side has proved to be who it should: the next loss is then a first one.
  public var isGood: Bool

  /// An answer; without arguments, to go on waiting.
  public init(
    send: [UInt8] = [], patience: Int64? = nil, hangUp: Int32? = nil, isGood: Bool = false
  ) {
    self.send = send
    self.patience = patience
    self.hangUp = hangUp
    self.isGood = isGood
  }
}

/// How long to wait before the next attempt to connect.
public struct RetryDelays: Equatable, Sendable {
  private var attempts = 0

  /// The delays from the first.
  public init() {}

  /// The next delay in nanoseconds: 1, 2, 4 … 30 s (sources H4).
  public mutating func next() -> Int64 {
    defer { attempts += 1 }
    return min(30, 1 << Int64(min(attempts, 5))) * 1_000_000_000
  }
}
