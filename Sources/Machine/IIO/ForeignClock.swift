import Glibc

/// Translates time stamps of another clock to CLOCK_BOOTTIME (sources V12).
///
/// The offset is measured at the start and again after each step of the clock; which side of a
/// step a stamp is on shows by its not lying in the future.
struct ForeignClock {
  private enum Kind {
    case boot
    /// A clock of this machine, which can be read beside ours.
    case local(clockid_t)
    /// A clock that only shows in its stamps.
    case unknown
  }

  private let kind: Kind
  private var offset: Int64?

  /// The clock a device names in `current_timestamp_clock`; nil is the kernel's default. Clocks of
  /// another machine are unknown, whatever their name.
  init(named name: String?, isRemote: Bool) {
    if isRemote {
      kind = .unknown
      return
    }
    kind =
      switch name {
      case "boottime": .boot
      case nil, "realtime": .local(CLOCK_REALTIME)
      case "realtime_coarse": .local(CLOCK_REALTIME_COARSE)
      case "monotonic": .local(CLOCK_MONOTONIC)
      case "monotonic_coarse": .local(CLOCK_MONOTONIC_COARSE)
      case "monotonic_raw": .local(CLOCK_MONOTONIC_RAW)
      case "tai": .local(CLOCK_TAI)
      default: .unknown
      }
  }

  /// The stamps of scans that have just arrived, on CLOCK_BOOTTIME.
  mutating func translate(_ stamps: [Int64], arrival: Int64) -> [Int64] {
    switch kind {
    case .boot: return stamps
    case .local(let clock):
      return translate(stamps, measured: arrival &- Self.read(clock), arrival: arrival)
    case .unknown:
      guard let last = stamps.last else { return [] }
      let since = arrival &- (last &+ (offset ?? .max))
      // Nothing is late by seconds, and nothing comes from the future.
      if offset == nil || since < -10_000_000 || since > 5_000_000_000 { offset = arrival &- last }
      return stamps.map { $0 &+ (offset ?? 0) }
    }
  }

  mutating func translate(_ stamps: [Int64], measured: Int64, arrival: Int64) -> [Int64] {
    let before = offset ?? measured
    offset = measured
    let moved = measured &- before
    // Two readings of clocks that keep pace differ by what the reading itself takes.
    if moved.magnitude < 1_000_000 { return stamps.map { $0 &+ measured } }
    return stamps.map { stamp in
      let (old, new) = (stamp &+ before, stamp &+ measured)
      let limit = arrival &+ 1_000_000
      if old > limit { return new }
      return new > limit ? old : max(old, new)
    }
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
