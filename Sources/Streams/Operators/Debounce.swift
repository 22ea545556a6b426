public import Ground

extension ValueStream {
  /// The newest value, once `duration` has passed without another.
  ///
  /// With a duration of zero or less everything passes.
  public func debounce(
    _ duration: Duration, on clock: any Clock
  ) -> any ValueStream<Value> {
    guard duration > .zero else { return self }
    return StatefulStream(self, Debounce(duration), on: clock)
  }
}

/// Holds a value back until no other has come for a time.
package struct Debounce<Value: Sendable>: StreamOperator {
  private let duration: Duration
  private var newest: Value?

  /// Makes one that holds nothing.
  package init(_ duration: Duration) {
    self.duration = duration
  }

  package mutating func receive(_ value: Value, at now: Moment) -> OperatorEffect<Value> {
    let former = newest
    newest = value
    return OperatorEffect(alarm: .at(now + duration), spent: former)
  }

  package mutating func ring(at now: Moment) -> OperatorEffect<Value> {
    OperatorEffect(newest.take())
  }
}
