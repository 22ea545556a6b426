/// A stream whose subscribers receive `value` first and nothing afterwards.
public func just<Value: Sendable>(_ value: Value) -> any ValueStream<Value> {
  InitialValueStream(initialValue: value)
}

/// A stream that is silent for ever.
public func never<Value: Sendable>(_ type: Value.Type = Value.self) -> any ValueStream<Value> {
  InitialValueStream(initialValue: nil)
}

/// A stream that has nothing to send.
///
/// Streams do not end, so it is as silent as `never`.
public func empty<Value: Sendable>(_ type: Value.Type = Value.self) -> any ValueStream<Value> {
  InitialValueStream(initialValue: nil)
}

/// A stream that sends nothing but initial values.
private final class InitialValueStream<Value: Sendable>: ValueStream, BroadcasterOwner {
  typealias Item = Value
  typealias Held = Void

  let broadcaster = Broadcaster<Value, Void>(cascadeLimit: 100_000, held: ())
  private let value: Value?

  init(initialValue value: Value?) {
    self.value = value
  }

  func subscribe(_ sink: Sink<Value>) -> Connection {
    open(SubscriberCallbacks(sink.receive)) { [value] _ in
      value.map { value in DirectedValue(part: .whole) { value } }
    }
  }
}
