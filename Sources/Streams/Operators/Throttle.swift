public import Ground

extension ValueStream {
  /// A value passes at once and closes the gate for `duration`.
  ///
  /// Values that arrive while it is closed are dropped; with `latest` the newest of them is sent
  /// when the gate opens, which closes it again. With a duration of zero or less every value
  /// passes.
  public func throttle(
    _ duration: Duration, latest: Bool = true, on clock: any Clock
  ) -> any ValueStream<Value> {
    guard duration > .zero else { return self }
    return StatefulStream(self, ThrottleOperator(duration, latest: latest), on: clock)
  }
}

/// A gate that closes for a time behind each value that passes.
package struct ThrottleOperator<Value: Sendable>: HoldingOperator {
  /// How long it closes, from the next value on that passes.
  package var duration: Duration
  private let keepsLatest: Bool
  /// Nil before the first value.
  private var opening: Moment?
  /// The newest of the values that came while it was closed; the alarm is set as long as one waits.
  private var waiting: Value?

  /// Makes an open gate.
  package init(_ duration: Duration, latest: Bool) {
    self.duration = duration
    keepsLatest = latest
  }

  package init(_ duration: Duration) { self.init(duration, latest: true) }

  package var due: Moment? { waiting == nil ? nil : opening }

  package mutating func receive(_ value: Value, at now: Moment) -> OperatorEffect<Value> {
    if let former = waiting {
      waiting = value
      return OperatorEffect(spent: former)
    }
    guard let opening, now < opening else {
      self.opening = now + duration
      return OperatorEffect(value)
    }
    guard keepsLatest else { return OperatorEffect() }
    waiting = value
    return OperatorEffect(alarm: .at(opening))
  }

  package mutating func ring(at now: Moment) -> OperatorEffect<Value> {
    opening = now + duration
    return OperatorEffect(waiting.take())
  }
}
