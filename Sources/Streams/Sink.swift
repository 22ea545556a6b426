/// The receiving end of a subscription.
///
/// It runs on whichever thread drains the stream, never twice at once. What it captures is
/// released once, after its disconnection and never while it runs.
public struct Sink<Value: Sendable>: Sendable {
  let receive: @Sendable (Value) -> Void
  /// Whether a stream that says goodbye says it to this sink.
  let hearsFarewell: Bool

  /// Makes a sink of a closure.
  public init(_ receive: @escaping @Sendable (Value) -> Void) {
    self.init(hearsFarewell: true, receive)
  }

  /// Makes a sink that does not keep `object` alive and falls silent when it dies.
  public init<Object: AnyObject & Sendable>(
    weak object: Object, _ receive: @escaping @Sendable (Object, Value) -> Void
  ) {
    self.init { [weak object] value in
      if let object { receive(object, value) }
    }
  }

  init(hearsFarewell: Bool, _ receive: @escaping @Sendable (Value) -> Void) {
    self.receive = receive
    self.hearsFarewell = hearsFarewell
  }
}
