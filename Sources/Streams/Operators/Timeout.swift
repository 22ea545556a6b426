public import Ground

extension ValueStream {
  /// Every value, and after each silence of `duration` once `substitute`.
  ///
  /// A silence counts from the subscription or from the last value. With a duration of zero or
  /// less the values pass and nothing is put in.
  public func timeout(
    _ duration: Duration, substitute: Value, on clock: any Clock
  ) -> any ValueStream<Value> {
    guard duration > .zero else { return self }
    return StatefulStream(self, TimeoutOperator(duration, substitute: substitute), on: clock)
  }
}

/// Sends the substitute when no value has arrived for a time.
package struct TimeoutOperator<Value: Sendable>: StreamOperator {
  private let duration: Duration
  private let substitute: Value

  /// Makes an operator that has received no value.
  package init(_ duration: Duration, substitute: Value) {
    self.duration = duration
    self.substitute = substitute
  }

  package mutating func open(at now: Moment) -> OperatorEffect<Value> {
    OperatorEffect(alarm: .at(now + duration))
  }

  package mutating func receive(_ value: Value, at now: Moment) -> OperatorEffect<Value> {
    OperatorEffect(value, alarm: .at(now + duration))
  }

  package mutating func ring(at now: Moment) -> OperatorEffect<Value> { OperatorEffect(substitute) }
}
