import Glibc
import Ground
import Testing

@testable import Machine

/// Whose clock stamped a scan, and when that was on ours (sources V12).
@Suite struct ForeignClockTests {
  private let second: Int64 = 1_000_000_000

  @Test func `a clock that steps bends no time (V12)`() {
    var clock = ForeignClock(named: "realtime", isRemote: false, opening: 0)
    let before = clock.translate(
      [100, 200], measured: 1_000_000_000, within: 100, arrival: 1_000_000_300)
    #expect(before == [1_000_000_100, 1_000_000_200])
    // The wall clock has gone an hour ahead between the two stamps.
    let hour: Int64 = 3_600_000_000_000
    let after = clock.translate(
      [300, 400 + hour], measured: 1_000_000_000 - hour, within: 100, arrival: 1_000_000_500)
    #expect(after == [1_000_000_300, 1_000_000_400])
  }

  @Test func `a look that took long is not taken for a step`() {
    var clock = ForeignClock(named: "realtime", isRemote: false, opening: 0)
    _ = clock.translate([100], measured: 1_000_000_000, within: 100, arrival: 1_000_000_300)
    let late = clock.translate(
      [200], measured: 980_000_000, within: 45_000_000, arrival: 1_000_000_500)
    #expect(late == [1_000_000_200])
  }

  @Test(arguments: [nil, "boottime", "realtime", "monotonic"] as [String?])
  func `a hub that stamps with another clock than is told is found out`(_ told: String?) {
    for clock in [CLOCK_BOOTTIME, CLOCK_REALTIME, CLOCK_TAI] {
      var foreign = ForeignClock(named: told, isRemote: false, opening: LiveTime.boot)
      for _ in 0..<3 {
        let (stamp, moment) = (Self.read(clock), LiveTime.boot)
        let time = foreign.translate([stamp], arrival: LiveTime.boot)[0]
        // The clocks are years apart; that between two lines of a test may be seconds.
        #expect((time - moment).magnitude < 10 * second)
      }
    }
  }

  @Test func `a hub that counts from its own beginning is dated by its arrivals`() {
    let opening = LiveTime.boot
    var clock = ForeignClock(named: "boottime", isRemote: false, opening: opening)
    let first = clock.translate([70, 80], arrival: opening + 100)
    #expect(first == [opening + 90, opening + 100])
    #expect(clock.translate([90], arrival: opening + 110) == [opening + 110])
  }

  @Test func `a hub that begins to count anew is dated by its arrivals`() {
    let opening = LiveTime.boot
    var clock = ForeignClock(named: "boottime", isRemote: false, opening: opening)
    #expect(clock.translate([opening + 50], arrival: opening + 60) == [opening + 50])
    #expect(clock.translate([7], arrival: opening + 70) == [opening + 70])
  }

  @Test func `a first block that was late is made up for, and no time falls or leaps`() {
    var pace = PacedClock()
    var last = pace.translate([0], arrival: second / 2)[0]
    #expect(last == second / 2)
    let step = second / 100
    for number in 1...2000 {
      let stamp = Int64(number) * step
      let time = pace.translate([stamp], arrival: stamp + step)[0]
      #expect(time > last && time - last <= step)
      last = time
    }
    #expect(last == 2000 * step + step)
  }

  @Test func `a clock that runs slowly is followed`() {
    var pace = PacedClock()
    let step = second / 100
    var times: [Int64] = []
    for number in 0...6000 {
      // Half a part in a hundred slow, and now and then something is late.
      let (stamp, now) = (Int64(number) * step, Int64(number) * step / 1000 * 1005)
      let lateness = number % 7 == 0 ? step * 3 : step / 4
      times.append(pace.translate([stamp], arrival: now + lateness)[0])
    }
    #expect(zip(times, times.dropFirst()).allSatisfy(<))
    #expect((times[6000] - 6000 * step / 1000 * 1005).magnitude < 150_000_000)
  }

  @Test func `a clock that jumps is pinned anew`() {
    var pace = PacedClock()
    #expect(pace.translate([5], arrival: 100) == [100])
    #expect(pace.translate([60 * second], arrival: 200) == [200])
    #expect(pace.translate([1], arrival: 300) == [300])
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
