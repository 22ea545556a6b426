import Ground

/// A start and every whole multiple of an interval after it.
struct TimerGrid: Sendable {
  let start: Moment
  /// At least 1000.
  let interval: Int64

  init(start: Moment, every interval: Duration) {
    self.start = start
    self.interval = max(interval.wholeNanoseconds, 1000)
  }

  /// The newest point that is not after `moment`; negative before the start.
  func index(at moment: Moment) -> Int {
    guard moment >= start else { return -1 }
    // The difference of two `Int64` always fits into the unsigned type.
    let elapsed = UInt64(bitPattern: moment.nanoseconds &- start.nanoseconds)
    return Int(elapsed / UInt64(interval))
  }

  /// When the point is due; nil beyond the end of time.
  func point(_ index: Int) -> Moment? {
    let (offset, tooFar) = Int64(index).multipliedReportingOverflow(by: interval)
    guard !tooFar else { return nil }
    let (sum, overflow) = start.nanoseconds.addingReportingOverflow(offset)
    return overflow ? nil : Moment(nanoseconds: sum)
  }

  /// The first point that is not yet past.
  func firstIndex(from moment: Moment) -> Int {
    let index = index(at: moment)
    return point(index) == moment ? index : index + 1
  }
}

/// When a timer is due next.
enum TimerSchedule: Sendable {
  case grid(TimerGrid)
  case own(@Sendable () -> Moment?)

  /// Computes the next moment; for a grid, the one after the point `lastIndex` that was sent.
  ///
  /// After a tick, a point that falls on `now` counts as passed during its delivery.
  func next(now: Moment, after lastIndex: Int, late isAfterTick: Bool) -> Moment? {
    switch self {
    case .own(let next): next().map { max($0, now) }
    case .grid(let grid):
      grid.point(
        max(isAfterTick ? grid.index(at: now) + 1 : grid.firstIndex(from: now), lastIndex + 1))
    }
  }
}
