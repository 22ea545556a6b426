public import Ground

extension ValueStream {
  /// The newest value, once `duration` has passed without another.
  ///
  /// With a duration of zero or less everything passes.
  public func debounce(
    _ duration: Duration, on clock: any Clock
  ) -> any ValueStream<Value> {
    guard duration > .zero else { return self }
    return Seated(self, Debounce(duration), on: clock)
  }
}

/// Holds a value back until no other has come for a time.
package struct Debounce<Value: Sendable>: SeatWork {
  private let duration: Duration
  private var newest: Value?

  /// Makes one that holds nothing.
  package init(_ duration: Duration) {
    self.duration = duration
  }

  package mutating func receive(_ value: Value, at now: Moment) -> SeatResponse<Value> {
    let former = newest
    newest = value
    return SeatResponse(alarm: .at(now + duration), spent: former)
  }

  package mutating func ring(at now: Moment) -> SeatResponse<Value> {
    SeatResponse(newest.take())
  }
}
