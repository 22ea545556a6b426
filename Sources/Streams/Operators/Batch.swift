public import Ground

extension ValueStream {
  /// Arrays of `count` values, without overlap.
  ///
  /// A count below 1 counts as 1. An array that is not full when the subscription closes is
  /// dropped.
  public func batch(count: Int) -> any ValueStream<[Value]> {
    StatefulStream(self, BatchOperator(count: count, within: nil))
  }

  /// Arrays without overlap, each sent `duration` after its first value, or earlier when it has
  /// `count` values.
  ///
  /// A count below 1 counts as 1; with a duration of zero or less each array has one value. An
  /// array is never empty; one that is unsent when the subscription closes is dropped.
  public func batch(
    count: Int = .max, within duration: Duration, on clock: any Clock
  ) -> any ValueStream<[Value]> {
    StatefulStream(
      self, BatchOperator(count: duration > .zero ? count : 1, within: duration), on: clock)
  }
}

/// Collects values until there are `count` of them or the first has waited for the duration.
package struct BatchOperator<Value: Sendable>: StreamOperator {
  private let count: Int
  private let duration: Duration?
  private var values: [Value] = []

  /// Makes an empty operator.
  package init(count: Int, within duration: Duration?) {
    self.count = max(count, 1)
    self.duration = duration
  }

  package mutating func receive(_ value: Value, at now: Moment) -> OperatorEffect<[Value]> {
    values.append(value)
    if values.count >= count { return OperatorEffect(takeValues(), alarm: .off) }
    guard let duration, values.count == 1 else { return OperatorEffect() }
    return OperatorEffect(alarm: .at(now + duration))
  }

  package mutating func ring(at now: Moment) -> OperatorEffect<[Value]> {
    OperatorEffect(takeValues())
  }

  private mutating func takeValues() -> [Value] {
    defer { values = [] }
    return values
  }
}
