import Glibc
import Ground

/// Translates time stamps of another clock to CLOCK_BOOTTIME (sources V12).
///
/// The device names the clock of its time stamps, but the drivers of HID sensors pass on the stamps
/// of their hub whatever they name, so the stamps themselves decide. A clock of this machine is
/// read together with CLOCK_BOOTTIME, and again after each step of it; a stamp belongs before or
/// after the step depending on which keeps it out of the future. Any other clock is calibrated by
/// the arrival times of its stamps.
struct ForeignClock {
  private enum Kind {
    case boot
    /// A clock of this machine, which can be read beside ours.
    case local(clockid_t)
    /// A clock that only shows in its stamps.
    case paced(PacedClock)
  }

  private let isRemote: Bool
  private let named: Kind
  /// Nothing was sampled before the buffer was opened.
  private let opening: Int64
  private var kind: Kind?
  private var offset: Int64?

  /// The clock a device names in `current_timestamp_clock`; nil is the kernel's default. Clocks of
  /// another machine are unknown, whatever their name. `opening` is the boot time in nanoseconds
  /// before the buffer was opened.
  init(named name: String?, isRemote: Bool, opening: Int64) {
    self.isRemote = isRemote
    self.opening = opening
    named =
      switch name {
      case "boottime": .boot
      case nil, "realtime": .local(CLOCK_REALTIME)
      case "realtime_coarse": .local(CLOCK_REALTIME_COARSE)
      case "monotonic": .local(CLOCK_MONOTONIC)
      case "monotonic_coarse": .local(CLOCK_MONOTONIC_COARSE)
      case "monotonic_raw": .local(CLOCK_MONOTONIC_RAW)
      case "tai": .local(CLOCK_TAI)
      default: .paced(PacedClock())
      }
  }

  /// The stamps of scans that have just arrived, on CLOCK_BOOTTIME.
  mutating func translate(_ stamps: [Int64], arrival: Int64) -> [Int64] {
    guard let last = stamps.last else { return [] }
    let kind = kind ?? choose(for: last, at: arrival)
    self.kind = kind
    let times: [Int64]
    switch kind {
    case .boot: times = stamps
    case .local(let clock):
      let look = look(at: clock)
      times = translate(
        stamps, measured: look.offset, within: look.length, arrival: arrival)
    case .paced(let pace): return translate(stamps, pace, arrival: arrival)
    }
    if isPlausible(times.last ?? 0, until: arrival &+ 1_000_000_000) { return times }
    // A hub has begun to count anew.
    return translate(stamps, PacedClock(), arrival: arrival)
  }

  private mutating func translate(
    _ stamps: [Int64], _ pace: PacedClock, arrival: Int64
  ) -> [Int64] {
    var pace = pace
    defer { kind = .paced(pace) }
    return pace.translate(stamps, arrival: arrival)
  }

  /// Whether a sample may have been taken at this time; it may lie just before the request.
  private func isPlausible(_ time: Int64, until limit: Int64) -> Bool {
    time > opening &- 500_000_000 && time < limit
  }

  /// The clock that shows the present: the named one if it does, else any other clock of this
  /// machine.
  private func choose(for stamp: Int64, at arrival: Int64) -> Kind {
    if isRemote { return .paced(PacedClock()) }
    let others: [Kind] = [
      .boot, .local(CLOCK_REALTIME), .local(CLOCK_MONOTONIC), .local(CLOCK_TAI),
    ]
    let found = ([named] + others).first { kind in
      let time: Int64
      switch kind {
      case .boot: time = stamp
      case .local(let clock): time = stamp &+ Self.offset(of: clock).offset
      case .paced: return false
      }
      // Clocks may tick coarsely.
      return isPlausible(time, until: arrival &+ 10_000_000)
    }
    return found ?? .paced(PacedClock())
  }

  /// Adds the measured offset, which has this uncertainty in nanoseconds.
  mutating func translate(
    _ stamps: [Int64], measured: Int64, within length: Int64, arrival: Int64
  ) -> [Int64] {
    let before = offset ?? measured
    let moved = measured &- before
    // Clocks that run at the same rate differ by the time it takes to read them, which is long when
    // the computer is busy: that is no step.
    offset = moved.magnitude < max(1_000_000, length.magnitude) ? before : measured
    if offset == before { return stamps.map { $0 &+ before } }
    return stamps.map { stamp in
      let (old, new) = (stamp &+ before, stamp &+ measured)
      let limit = arrival &+ 1_000_000
      if old > limit { return new }
      return new > limit ? old : max(old, new)
    }
  }

  /// The offset to add to a clock's stamps at this moment.
  private mutating func look(at clock: clockid_t) -> (offset: Int64, length: Int64) {
    var now = Self.offset(of: clock)
    guard clock == CLOCK_MONOTONIC_RAW, let offset else { return now }
    // The one clock that runs at a pace of its own is followed step by little step.
    now.offset = offset &+ min(max(now.offset &- offset, -2_000), 2_000)
    self.offset = now.offset
    return now
  }

  /// How far CLOCK_BOOTTIME is ahead of a clock, and how long it took to look: of several looks the
  /// quickest.
  private static func offset(of clock: clockid_t) -> (offset: Int64, length: Int64) {
    var best = (length: Int64.max, offset: Int64(0))
    for _ in 0..<20 {
      let before = LiveTime.boot
      let other = read(clock)
      let length = LiveTime.boot &- before
      if length < best.length { best = (length, before &+ length / 2 &- other) }
      if length < 20_000 { break }
    }
    return (best.offset, best.length)
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// A clock known only by its stamps and their arrival times.
///
/// No stamp arrives before its time, so the earliest arrival gives the best offset. The offset is
/// fixed at the first block and follows better estimates slowly, so that times neither decrease nor
/// jump; it is fixed again after a jump of the clock.
struct PacedClock {
  private var offset: Int64?
  private var lastStamp: Int64 = 0
  /// The smallest offset seen in the present stretch of time, and when that began.
  private var smallest = Int64.max
  private var stretch: Int64 = 0
  /// The offset that is aimed at.
  private var aim: Int64 = 0

  private static let lengthOfStretch: Int64 = 10_000_000_000
  /// The threshold of a jump, in nanoseconds: no stamp is this late, and none is in the future.
  private static let jump: Int64 = 5_000_000_000

  /// The stamps of scans that have just arrived.
  mutating func translate(_ stamps: [Int64], arrival: Int64) -> [Int64] {
    guard let last = stamps.last else { return [] }
    let seen = arrival &- last
    guard var offset, (seen &- offset).magnitude <= Self.jump.magnitude else {
      pin(to: seen, at: last)
      return stamps.map { $0 &+ seen }
    }
    follow(seen, at: last)
    let times = stamps.map { stamp in
      // At one part in twenty it takes a second to mend fifty milliseconds.
      let most = max(0, stamp &- lastStamp) / 20
      offset += min(max(aim &- offset, -most), most)
      lastStamp = max(lastStamp, stamp)
      return stamp &+ offset
    }
    self.offset = offset
    return times
  }

  private mutating func pin(to seen: Int64, at stamp: Int64) {
    (offset, aim, smallest, lastStamp, stretch) = (seen, seen, .max, stamp, stamp)
  }

  private mutating func follow(_ seen: Int64, at stamp: Int64) {
    smallest = min(smallest, seen)
    aim = min(aim, seen)
    guard stamp &- stretch >= Self.lengthOfStretch else { return }
    aim = smallest
    (smallest, stretch) = (.max, stamp)
  }
}
