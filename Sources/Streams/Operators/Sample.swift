public import Ground

extension ValueStream {
  /// At each multiple of `interval` since the subscription the newest value, if one arrived since
  /// the multiple before.
  ///
  /// With an interval of zero or less everything passes; one below a microsecond counts as one.
  public func sample(
    every interval: Duration, on clock: any Clock
  ) -> any ValueStream<Value> {
    guard interval > .zero else { return self }
    return StatefulStream(self, SamplingOperator(every: interval), on: clock)
  }
}

/// Hands on the newest value at the points of a grid.
package struct SamplingOperator<Value: Sendable>: StreamOperator {
  private let interval: Duration
  /// It starts with the subscription.
  private var grid: TimerGrid?
  private var newest: Value?

  /// Makes an empty operator.
  package init(every interval: Duration) {
    self.interval = interval
  }

  package mutating func open(at now: Moment) -> OperatorEffect<Value> {
    grid = TimerGrid(start: now, every: interval)
    return OperatorEffect(alarm: nextPoint(after: now))
  }

  package mutating func receive(_ value: Value, at now: Moment) -> OperatorEffect<Value> {
    let former = newest
    newest = value
    return OperatorEffect(spent: former)
  }

  package mutating func ring(at now: Moment) -> OperatorEffect<Value> {
    OperatorEffect(newest.take(), alarm: nextPoint(after: now))
  }

  private func nextPoint(after now: Moment) -> OperatorEffect<Value>.Alarm {
    grid.flatMap { $0.point($0.index(at: now) + 1) }.map { .at($0) } ?? .off
  }
}
