public import Ground

extension ValueStream {
  /// On each value, an array of the last `count` values, oldest first.
  ///
  /// A count below 1 counts as 1.
  public func window(count: Int) -> any ValueStream<[Value]> {
    windows(SlidingWindow(.count(count)), clock: nil)
  }

  /// On each value, an array of the values not older than `duration`, oldest first.
  ///
  /// With a duration of zero or less it is the value alone.
  public func window(
    of duration: Duration, on clock: any Clock
  ) -> any ValueStream<[Value]> {
    windows(SlidingWindow(.duration(duration)), clock: clock)
  }

  private func windows(
    _ start: SlidingWindow<Value>, clock: (any Clock)?
  ) -> any ValueStream<[Value]> {
    Derived(from: self) { sink in
      let window = OperatorMemory(start)
      return { value in
        let now = clock?.now ?? .zero
        if let values = window.update({ $0.next(value, at: now) }) { sink.receive(values) }
      }
    }
  }
}

/// How far back something looks.
package enum Span: Hashable, Sendable {
  /// At that many values; below 1 counts as 1.
  case count(Int)
  /// The values not older than this; zero or less is the newest value only.
  case duration(Duration)

  /// Whether the oldest of `count` values, the newest included, is too far back at `now`.
  func excludes(_ oldest: Moment, of count: Int, at now: Moment) -> Bool {
    switch self {
    case .count(let limit): count > max(limit, 1)
    case .duration(let limit) where limit <= .zero: count > 1
    case .duration(let limit): now - oldest > limit
    }
  }
}

/// The newest values of a series, as many as a span holds.
package struct SlidingWindow<Value: Sendable>: Sendable {
  /// The span from the next value on.
  package var span: Span
  private let capacity: Int
  private var values: [Value] = []
  /// The arrival time of each value.
  private var moments: [Moment] = []
  /// The number of values that are already outside the window.
  private var formerCount = 0

  /// Makes an empty one that never holds more than `capacity` values.
  package init(_ span: Span, capacity: Int = .max) {
    self.span = span
    self.capacity = capacity
  }

  /// The values in the window, oldest first.
  package var content: ArraySlice<Value> { values[formerCount...] }

  /// Adds a value and drops the values that are then outside the window.
  package mutating func append(_ value: Value, at now: Moment) {
    add(value, at: now)
    if formerCount >= 32, formerCount * 2 >= values.count { dropFormer() }
  }

  /// Adds a value and returns the values in the span, oldest first.
  package mutating func next(_ value: Value, at now: Moment) -> [Value] {
    add(value, at: now)
    dropFormer()
    return values
  }

  private mutating func add(_ value: Value, at now: Moment) {
    values.append(value)
    moments.append(now)
    while case let count = values.count - formerCount, count > 1,
      count > capacity || span.excludes(moments[formerCount], of: count, at: now)
    {
      formerCount += 1
    }
  }

  private mutating func dropFormer() {
    values.removeFirst(formerCount)
    moments.removeFirst(formerCount)
    formerCount = 0
  }
}
