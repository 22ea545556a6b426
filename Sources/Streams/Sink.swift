/// The receiving end of a subscription.
///
/// It runs on the thread that drains the stream, never twice at once. Its captures are released
/// once, after its disconnection and never while it runs.
public struct Sink<Value: Sendable>: Sendable {
  package let receive: @Sendable (Value) -> Void
  /// Whether a stream that sends a final value sends it to this sink.
  package let wantsFinalValue: Bool
  /// Receives the initial value instead, if the stream distinguishes it from later values.
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

  /// Makes a sink that may distinguish the initial value from later ones.
  package init(
    wantsFinalValue: Bool, receiveInitial: (@Sendable (Value) -> Void)? = nil,
    _ receive: @escaping @Sendable (Value) -> Void
  ) {
    self.receive = receive
    self.wantsFinalValue = wantsFinalValue
    self.receiveInitial = receiveInitial
  }
}
