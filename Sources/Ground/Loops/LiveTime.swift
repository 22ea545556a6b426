import CLinux
import Glibc
import Synchronization

/// The clocks of this computer.
public struct LiveTime: TimeSource {
  /// Makes no system call until asked.
  public init() {}

  /// CLOCK_BOOTTIME and CLOCK_REALTIME at one instant, read without system calls.
  public var now: Instant {
    let (boot, realtime) = (Self.boot, Self.read(CLOCK_REALTIME))
    let offset = realtime &- boot
    let known = Self.offset.load(ordering: .relaxed)
    // Only a thread that was preempted, or a step of the wall clock, makes another offset.
    if (offset &- known).magnitude < 1_000 { return Instant(boot: boot, realtime: realtime) }
    return carefully()
  }

  /// Both clocks at one instant, by a reading of one before and behind the other.
  private func carefully() -> Instant {
    var (boot, realtime) = (Self.boot, Self.read(CLOCK_REALTIME))
    var after = Self.boot
    // A thread that was preempted between two readings reads again, a few times.
    for _ in 0..<3 where after &- boot > 20_000 {
      (boot, realtime) = (after, Self.read(CLOCK_REALTIME))
      after = Self.boot
    }
    let instant = Instant(boot: boot &+ (after &- boot) / 2, realtime: realtime)
    Self.offset.store(instant.realtime &- instant.boot, ordering: .relaxed)
    return instant
  }

  /// What CLOCK_REALTIME was ahead of CLOCK_BOOTTIME at the last careful reading.
  private static let offset = Atomic<Int64>(0)

  /// CLOCK_BOOTTIME, in nanoseconds.
  public var boot: Int64 { Self.boot }

  /// CLOCK_BOOTTIME alone, in nanoseconds, for waiting.
  package static var boot: Int64 { read(CLOCK_BOOTTIME) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
