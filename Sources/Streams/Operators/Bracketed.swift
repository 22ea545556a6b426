import Ground

extension ValueStream {
  /// The same values, with a greeting for each who comes and a farewell for each who leaves.
  ///
  /// `hello` is asked once per subscriber for the first value it receives, `goodbye` once for the
  /// last, which it receives when it is detached; a nil answer is not sent. Both are called on the
  /// thread that delivers or disconnects.
  public func bracketed(
    hello: (@Sendable () -> Value?)? = nil, goodbye: (@Sendable () -> Value?)? = nil
  ) -> any ValueStream<Value> {
    var seated = Seated(self, Unchanged<Value>())
    seated.hello = hello
    seated.goodbye = goodbye
    return Bracketed(input: self, seated: seated)
  }
}

/// A stream that can keep a greeting and a farewell given to it in its own order.
protocol BracketingStream<Value>: ValueStream {
  /// Nil, and nothing has been done, when it cannot after all.
  func subscribe(_ sink: Sink<Value>, between bracket: Bracket) -> Connection?
}

/// What is done at the place of a subscription and after its end.
struct Bracket: Sendable {
  let hello: (@Sendable () -> Void)?
  let goodbye: (@Sendable () -> Void)?
}

extension BracketingStream where Self: HubOwner, Item == Value {
  func subscribe(_ sink: Sink<Value>, between bracket: Bracket) -> Connection? {
    open(Receiver(farewell: bracket.goodbye, sink.receive)) { _ in
      bracket.hello.map { hello in
        Greeting(part: .whole) {
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
  let seated: Seated<Unchanged<Value>>

  func subscribe(_ sink: Sink<Value>) -> Connection {
    guard let input = input as? any BracketingStream<Value> else {
      return seated.subscribe(sink)
    }
    let guest = Guest(sink: sink)
    // A greeting that waits does not keep the sink of a subscriber that has left.
    let hello = seated.hello.map { hello in
      { @Sendable [weak guest] in guest?.receive(hello()) ?? () }
    }
    let goodbye = seated.goodbye.map { goodbye in
      { @Sendable in guest.receive(goodbye()) }
    }
    let bracket = Bracket(hello: hello, goodbye: sink.hearsFarewell ? goodbye : nil)
    let inner = Sink<Value>(hearsFarewell: sink.hearsFarewell) { guest.sink.receive($0) }
    return input.subscribe(inner, between: bracket) ?? seated.subscribe(sink)
  }
}

/// A subscriber that is greeted.
private final class Guest<Value: Sendable>: Sendable {
  let sink: Sink<Value>

  init(sink: Sink<Value>) {
    self.sink = sink
  }

  func receive(_ value: Value?) {
    if let value { sink.receive(value) }
  }
}

/// Hands on what comes.
struct Unchanged<Value: Sendable>: SeatWork {
  mutating func receive(_ value: Value, at now: Moment) -> SeatResponse<Value> {
    SeatResponse(value)
  }
}
