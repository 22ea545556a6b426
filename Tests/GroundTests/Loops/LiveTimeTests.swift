import Glibc
import Testing

@testable import Ground

/// The computer's clocks as instants.
struct LiveTimeTests {
  private func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  @Test func `an instant is the present on both clocks, and none is before the last, sources V11`()
  {
    // The wall clock is compared once a millisecond, which begins and ends several times here.
    let step: Int64 = 1_000_000
    var last = LiveTime().now
    let end = last.boot + 20 * step
    while last.boot < end {
      let before = (boot: read(CLOCK_BOOTTIME), realtime: read(CLOCK_REALTIME))
      let now = LiveTime().now
      let after = (boot: read(CLOCK_BOOTTIME), realtime: read(CLOCK_REALTIME))
      #expect(now.boot >= last.boot && now.boot >= before.boot && now.boot <= after.boot)
      #expect(now.realtime >= before.realtime - step && now.realtime <= after.realtime + step)
      last = now
    }
  }
}
