import Ground

/// A stream made of another by a function per subscription; it has no order of its own.
///
/// The state of an operator belongs to one subscription: `receiver` is called once for each.
package struct Derived<Input: Sendable, Output: Sendable>: BracketingStream {
  private let input: any ValueStream<Input>
  private let receiver: @Sendable (Sink<Output>) -> @Sendable (Input) -> Void

  /// Makes a stream from the function that each subscription applies to its values.
  package init(
    from input: any ValueStream<Input>,
    _ receiver: @escaping @Sendable (Sink<Output>) -> @Sendable (Input) -> Void
  ) {
    self.input = input
    self.receiver = receiver
  }

  /// Subscribes to the input on behalf of a sink.
  package func subscribe(_ sink: Sink<Output>) -> Connection {
    input.subscribe(Sink(wantsFinalValue: sink.wantsFinalValue, receiver(sink)))
  }

  func subscribe(_ sink: Sink<Output>, between bracket: Bracket) -> Connection? {
    (input as? any BracketingStream<Input>)?.subscribe(
      Sink(wantsFinalValue: sink.wantsFinalValue, receiver(sink)), between: bracket)
  }
}

/// The state of one subscription between two values.
package final class OperatorMemory<State: Sendable>: Sendable {
  private let state: Lock<State?>

  /// Makes one with a first state.
  package init(_ state: State) {
    self.state = Lock(state)
  }

  /// Calls `body`, which may call user code, to change the state.
  ///
  /// Only the drain of the input calls this, so nothing is lost between the two locks.
  package func update<Result>(_ body: (inout State) -> Result?) -> Result? {
    guard var present = state.withLock({ $0.take() }) else { return nil }
    let result = body(&present)
    let changed = present
    state.withLock { $0 = changed }
    return result
  }
}
