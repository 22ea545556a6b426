/// The moments a session is due: t0 + n × interval, without drift (sources I4).
struct Grid: Hashable, Sendable {
  /// The start, on CLOCK_BOOTTIME.
  let start: Int64
  /// The granted interval in nanoseconds, at least 1.
  let interval: Int64
  /// The next due moment.
  private(set) var next: Int64

  init(start: Int64, interval: Int64) {
    self.start = start
    self.interval = max(interval, 1)
    next = Grid.sum(start, self.interval)
  }

  /// Takes the tick that is due, if one is, and counts those that were missed before it.
  mutating func takeTick(at now: Int64) -> (isDue: Bool, skipped: UInt64) {
    guard next <= now else { return (false, 0) }
    let missed = (now - next) / interval
    let (advance, overflow) = (missed + 1).multipliedReportingOverflow(by: interval)
    next = overflow ? .max : Grid.sum(next, advance)
    return (true, UInt64(missed))
  }

  private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }
}

/// The times of the last 20 updates, for the interval that is really kept (sources I3).
struct UpdateTimes: Sendable {
  /// How many are kept.
  static let limit = 20
  private var times: [Int64] = []
  /// Where the oldest is, once that many are kept.
  private var oldest = 0

  mutating func append(_ time: Int64) {
    if times.count < Self.limit { return times.append(time) }
    times[oldest] = time
    oldest = oldest + 1 == Self.limit ? 0 : oldest + 1
  }

  /// The last one; nil before one.
  var last: Int64? { oldest == 0 ? times.last : times[oldest - 1] }

  /// The mean spacing in nanoseconds; nil before two updates.
  var mean: Int64? {
    guard times.count > 1, let last else { return nil }
    return (last - times[oldest]) / Int64(times.count - 1)
  }
}
