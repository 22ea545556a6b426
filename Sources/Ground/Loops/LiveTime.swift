import CLinux
import Glibc
import Synchronization

/// The clocks of this computer.
public struct LiveTime: TimeSource {
  /// Makes no system call until asked.
  public init() {}

  /// CLOCK_BOOTTIME and CLOCK_REALTIME at one instant, read without system calls.
  ///
  /// The wall clock is compared once a millisecond: between two comparisons it is what it was ahead
  /// of the other clock. So a step of it is seen a millisecond late at most; by slewing it drifts
  /// 0.5 ns in that time.
  public var now: Instant {
    let boot = Self.boot
    let age = boot &- Self.compared.load(ordering: .acquiring)
    guard age >= 0, age < 1_000_000 else { return compare() }
    return Instant(boot: boot, realtime: boot &+ Self.offset.load(ordering: .relaxed))
  }

  /// Both clocks at one instant, by a reading of one before and behind the other.
  private func compare() -> Instant {
    var (boot, realtime) = (Self.boot, Self.read(CLOCK_REALTIME))
    var after = Self.boot
    // A thread that was preempted between two readings reads again, a few times.
    for _ in 0..<10 where after &- boot > 1_000 {
      (boot, realtime) = (after, Self.read(CLOCK_REALTIME))
      after = Self.boot
    }
    let middle = boot &+ (after &- boot) / 2
    let offset = realtime &- middle
    // What two readings differ by in any case is no change.
    if (offset &- Self.offset.load(ordering: .relaxed)).magnitude >= 500 {
      Self.offset.store(offset, ordering: .relaxed)
    }
    Self.compared.store(middle, ordering: .releasing)
    return Instant(boot: after, realtime: after &+ Self.offset.load(ordering: .relaxed))
  }

  /// What CLOCK_REALTIME was ahead of CLOCK_BOOTTIME at the last comparison, and when that was on
  /// CLOCK_BOOTTIME.
  private static let offset = Atomic<Int64>(0)
  private static let compared = Atomic<Int64>(.min / 2)

  /// CLOCK_BOOTTIME, in nanoseconds.
  public var boot: Int64 { Self.boot }

  /// What CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC, which stands while the machine sleeps.
  public var asleep: Int64 { Self.boot &- Self.read(CLOCK_MONOTONIC) }

  /// CLOCK_BOOTTIME alone, in nanoseconds, for waiting.
  package static var boot: Int64 { read(CLOCK_BOOTTIME) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
