import Ground

extension ValueStream {
  /// The same values, with an initial value for each new subscriber and a final one when it leaves.
  ///
  /// `hello` is called once per subscriber for its first value, `goodbye` once for its last, which
  /// it receives when it is detached; nil is not sent. Both are called on the thread that delivers
  /// or disconnects.
  public func bracketed(
    hello: (@Sendable () -> Value?)? = nil, goodbye: (@Sendable () -> Value?)? = nil
  ) -> any ValueStream<Value> {
    var fallback = StatefulStream(self, UnchangedOperator<Value>())
    fallback.hello = hello
    fallback.goodbye = goodbye
    return Bracketed(input: self, fallback: fallback)
  }
}

/// A stream that can send an initial and a final value given to it in its own order.
protocol BracketingStream<Value>: ValueStream {
  /// Nil, and nothing has been done, when it cannot after all.
  func subscribe(_ sink: Sink<Value>, between bracket: Bracket) -> Connection?
}

/// The actions at the start of a subscription and after its end.
struct Bracket: Sendable {
  let hello: (@Sendable () -> Void)?
  let goodbye: (@Sendable () -> Void)?
}

extension BracketingStream where Self: BroadcasterOwner, Item == Value {
  func subscribe(_ sink: Sink<Value>, between bracket: Bracket) -> Connection? {
    open(SubscriberCallbacks(sendFinalValue: bracket.goodbye, sink.receive)) { _ in
      bracket.hello.map { hello in
        DirectedValue(part: .whole) {
          hello()
          return nil
        }
      }
    }
  }
}

extension Signal: BracketingStream {}
extension TimerStream: BracketingStream {}
extension SharedNode: BracketingStream {}

private struct Bracketed<Value: Sendable>: ValueStream {
  let input: any ValueStream<Value>
  /// Serves where the input cannot keep a bracket: then the order is one of its own.
  let fallback: StatefulStream<UnchangedOperator<Value>>

  func subscribe(_ sink: Sink<Value>) -> Connection {
    guard let input = input as? any BracketingStream<Value> else {
      return fallback.subscribe(sink)
    }
    let subscriber = BracketedSubscriber(sink: sink)
    // An initial value that waits does not keep the sink of a subscriber that has left.
    let hello = fallback.hello.map { hello in
      { @Sendable [weak subscriber] in subscriber?.receive(hello()) ?? () }
    }
    let goodbye = fallback.goodbye.map { goodbye in
      { @Sendable in subscriber.receive(goodbye()) }
    }
    let bracket = Bracket(hello: hello, goodbye: sink.wantsFinalValue ? goodbye : nil)
    let inner = Sink<Value>(wantsFinalValue: sink.wantsFinalValue) { subscriber.sink.receive($0) }
    return input.subscribe(inner, between: bracket) ?? fallback.subscribe(sink)
  }
}

/// A subscriber that receives an initial or a final value.
private final class BracketedSubscriber<Value: Sendable>: Sendable {
  let sink: Sink<Value>

  init(sink: Sink<Value>) {
    self.sink = sink
  }

  func receive(_ value: Value?) {
    if let value { sink.receive(value) }
  }
}

/// Passes values on unchanged.
struct UnchangedOperator<Value: Sendable>: StreamOperator {
  mutating func receive(_ value: Value, at now: Moment) -> OperatorEffect<Value> {
    OperatorEffect(value)
  }
}
