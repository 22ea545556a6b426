import Glibc

/// The clocks of this computer.
public struct LiveClock: MachineClock {
  /// Makes no system call until asked.
  public init() {}

  /// CLOCK_BOOTTIME and CLOCK_REALTIME, read one right after the other without system calls.
  public var now: Instant {
    Instant(boot: Self.boot, realtime: Self.read(CLOCK_REALTIME))
  }

  /// CLOCK_BOOTTIME alone, for those that only wait.
  static var boot: Int64 { read(CLOCK_BOOTTIME) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
