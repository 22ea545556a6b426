public import Ground

extension ValueStream where Value == Double {
  /// The mean of the last `window` values, from the first value on.
  ///
  /// A window below 1 counts as 1. The mean has the unit of the values.
  public func movingAverage(window: Int) -> any ValueStream<Double> {
    averages(MovingAverageFilter(.count(window)), clock: nil)
  }

  /// The mean of the values not older than `duration`, from the first value on.
  ///
  /// With a duration of zero or less the values pass unchanged.
  public func movingAverage(
    duration: Duration, on clock: any Clock
  ) -> any ValueStream<Double> {
    averages(MovingAverageFilter(.duration(duration)), clock: clock)
  }

  private func averages(
    _ start: MovingAverageFilter<Double>, clock: (any Clock)?
  ) -> any ValueStream<Double> {
    Derived(from: self) { sink in
      let average = OperatorMemory(start)
      return { value in
        let now = clock?.now ?? .zero
        if let mean = average.update({ $0.next(value, at: now) }) { sink.receive(mean) }
      }
    }
  }
}

/// The mean of the newest values of a series, as many as a span holds, of each component by itself.
///
/// Nothing is ever subtracted from a sum: no error builds up, and a NaN or an infinity is
/// forgotten when it leaves the span. A step takes constant time on the average.
package struct MovingAverageFilter<Value: Componentwise>: Sendable {
  private struct Entry {
    let moment: Moment
    let value: Value
  }

  /// The span from the next value on.
  package var span: Span
  private let capacity: Int
  /// The older part, newest first; the value is the sum from that entry on to the part's newest.
  private var older: [Entry] = []
  /// The newer part, oldest first, and its sum, nil as long as it is empty.
  private var newer: [Entry] = []
  private var newerSum: Value?

  /// Makes one that has seen nothing and never holds more than `capacity` values.
  package init(_ span: Span, capacity: Int = .max) {
    self.span = span
    self.capacity = capacity
  }

  /// Adds a value and returns the mean of the values in the span. A value with another number of
  /// components starts over.
  package mutating func next(_ value: Value, at now: Moment) -> Value {
    if (older.last ?? newer.last)?.value.joined(value, +) == nil { removeAll() }
    newer.append(Entry(moment: now, value: value))
    newerSum = (newerSum ?? value.zero).joined(value, +)
    while let oldest = older.last ?? newer.first, count > 1,
      count > capacity || span.excludes(oldest.moment, of: count, at: now)
    {
      removeOldest()
    }
    // A single value is its own mean, also where adding zero would change its sign.
    guard count > 1 else { return value }
    let sum = (older.last?.value ?? value.zero).joined(newerSum ?? value.zero, +) ?? value
    let count = Double(count)
    return sum.map { $0 / count }
  }

  private var count: Int { older.count + newer.count }

  private mutating func removeOldest() {
    if older.isEmpty {
      var sum: Value?
      for entry in newer.reversed() {
        let next = (sum ?? entry.value.zero).joined(entry.value, +) ?? entry.value
        older.append(Entry(moment: entry.moment, value: next))
        sum = next
      }
      newer.removeAll(keepingCapacity: true)
      newerSum = nil
    }
    older.removeLast()
  }

  private mutating func removeAll() {
    older = []
    newer = []
    newerSum = nil
  }
}
