/// The receiving end of a subscription.
///
/// It runs on whichever thread drains the stream, never twice at once. What it captures is
/// released once, after its disconnection and never while it runs.
public struct Sink<Value: Sendable>: Sendable {
  package let receive: @Sendable (Value) -> Void
  /// Whether a stream that sends a final value sends it to this sink.
  package let wantsFinalValue: Bool
  /// Receives the initial value instead, where a stream knows it from what follows.
  let receiveInitial: (@Sendable (Value) -> Void)?

  /// Makes a sink of a closure.
  public init(_ receive: @escaping @Sendable (Value) -> Void) {
    self.init(wantsFinalValue: true, receive)
  }

  /// Makes a sink that does not keep `object` alive and falls silent when it dies.
  public init<Object: AnyObject & Sendable>(
    weak object: Object, _ receive: @escaping @Sendable (Object, Value) -> Void
  ) {
    self.init { [weak object] value in
      if let object { receive(object, value) }
    }
  }

  /// Makes a sink that may tell the initial value from what follows it.
  package init(
    wantsFinalValue: Bool, receiveInitial: (@Sendable (Value) -> Void)? = nil,
    _ receive: @escaping @Sendable (Value) -> Void
  ) {
    self.receive = receive
    self.wantsFinalValue = wantsFinalValue
    self.receiveInitial = receiveInitial
  }
}
