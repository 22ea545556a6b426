public import Ground

extension ValueStream where Value == Double {
  /// The mean of the last `window` values, from the first value on.
  ///
  /// A window below 1 counts as 1. The mean has the unit of the values.
  public func movingAverage(window: Int) -> any ValueStream<Double> {
    averages(MovingAverage(.count(window)), clock: nil)
  }

  /// The mean of the values not older than `duration`, from the first value on.
  ///
  /// With a duration of zero or less the values pass unchanged.
  public func movingAverage(
    duration: Duration, on clock: any Clock
  ) -> any ValueStream<Double> {
    averages(MovingAverage(.duration(duration)), clock: clock)
  }

  private func averages(
    _ start: MovingAverage, clock: (any Clock)?
  ) -> any ValueStream<Double> {
    Derived(from: self) { sink in
      let average = OperatorMemory(start)
      return { value in
        let now = clock?.now ?? .zero
        if let mean = average.update({ $0.step(value, at: now) }) { sink.receive(mean) }
      }
    }
  }
}

/// The mean of the newest numbers of a series, as many as a span holds.
///
/// Nothing is ever subtracted from a sum: no error builds up, and a NaN or an infinity is
/// forgotten when it leaves the span. A step takes constant time on the average.
package struct MovingAverage: Sendable {
  private struct Entry {
    let moment: Moment
    let number: Double
  }

  private let span: Span
  /// The older part, newest first; the number is the sum from that entry on to the part's newest.
  private var older: [Entry] = []
  /// The newer part, oldest first, and its sum.
  private var newer: [Entry] = []
  private var newerSum = 0.0

  /// Makes one that has seen nothing.
  package init(_ span: Span) {
    self.span = span
  }

  /// Adds a number and answers the mean of what the span now holds.
  package mutating func step(_ x: Double, at now: Moment) -> Double {
    newer.append(Entry(moment: now, number: x))
    newerSum += x
    while let oldest = older.last ?? newer.first, count > 1,
      span.excludes(oldest.moment, of: count, at: now)
    {
      removeOldest()
    }
    // A single number is its own mean, also where adding zero would change its sign.
    guard count > 1 else { return x }
    return ((older.last?.number ?? 0) + newerSum) / Double(count)
  }

  private var count: Int { older.count + newer.count }

  private mutating func removeOldest() {
    if older.isEmpty {
      var sum = 0.0
      for entry in newer.reversed() {
        sum += entry.number
        older.append(Entry(moment: entry.moment, number: sum))
      }
      newer.removeAll(keepingCapacity: true)
      newerSum = 0
    }
    older.removeLast()
  }
}
