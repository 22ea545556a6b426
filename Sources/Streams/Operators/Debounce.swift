public import Ground

extension ValueStream {
  /// The newest value, once `duration` has passed without another.
  ///
  /// With a duration of zero or less everything passes.
  public func debounce(
    _ duration: Duration, on clock: any Clock
  ) -> any ValueStream<Value> {
    guard duration > .zero else { return self }
    return StatefulStream(self, DebounceOperator(duration), on: clock)
  }
}

/// Holds a value back until no other has come for a time.
package struct DebounceOperator<Value: Sendable>: HoldingOperator {
  /// How long it must be quiet, for the value that waits too.
  package var duration: Duration
  private var newest: (value: Value, moment: Moment)?

  /// Makes one that holds nothing.
  package init(_ duration: Duration) {
    self.duration = duration
  }

  package var due: Moment? { newest.map { $0.moment + duration } }

  package mutating func receive(_ value: Value, at now: Moment) -> OperatorEffect<Value> {
    let former = newest?.value
    newest = (value, now)
    return OperatorEffect(alarm: .at(now + duration), spent: former)
  }

  package mutating func ring(at now: Moment) -> OperatorEffect<Value> {
    OperatorEffect(newest.take()?.value)
  }
}
