/// A stream that greets each subscriber with `value` and is silent otherwise.
public func just<Value: Sendable>(_ value: Value) -> any ValueStream<Value> {
  Still(greeting: value)
}

/// A stream that is silent for ever.
public func never<Value: Sendable>(_ type: Value.Type = Value.self) -> any ValueStream<Value> {
  Still(greeting: nil)
}

/// A stream that has nothing to send.
///
/// Streams do not end, so it is as silent as `never`.
public func empty<Value: Sendable>(_ type: Value.Type = Value.self) -> any ValueStream<Value> {
  Still(greeting: nil)
}

/// A stream that sends nothing but greetings.
private final class Still<Value: Sendable>: ValueStream, HubOwner {
  typealias Item = Value
  typealias Held = Void

  let hub = Hub<Value, Void>(cascadeLimit: 100_000, held: ())
  private let value: Value?

  init(greeting value: Value?) {
    self.value = value
  }

  func subscribe(_ sink: Sink<Value>) -> Connection {
    open(Receiver(sink.receive)) { [value] _ in
      value.map { value in Greeting(part: .whole) { value } }
    }
  }
}
