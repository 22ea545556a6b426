import Ground
import Testing

@testable import Fleet

/// Another machine's boot clock, seen from here.
struct BootOffsetTests {
  private static let second: Int64 = 1_000_000_000
  private var offset = BootOffset()

  /// A message that was sent at a second of the other's boot, and how long it took.
  private mutating func note(
    _ sent: Int64, transit: Int64, skew: Int64 = 0, isRetained: Bool = false
  ) {
    let arrival = Instant(boot: sent + 100 * Self.second + transit, realtime: sent + transit)
    offset.note(
      sent: Instant(boot: sent, realtime: sent + skew), arrival: arrival, isRetained: isRetained)
  }

  @Test mutating func `F49 the fastest message counts`() {
    for (number, transit) in [40, 9, 70, 5, 300].enumerated() {
      note(Int64(number) * 100 * Self.second, transit: Int64(transit) * 1_000_000)
    }
    #expect(offset.shift == 100 * Self.second + 5_000_000)
  }

  @Test mutating func `F49 times never go back, however fast a message is`() {
    note(0, transit: 200_000_000)
    var last = Int64.min
    for number in 1...2000 {
      let sent = Int64(number) * 1_000_000
      note(sent, transit: 0)
      let time = sent + offset.shift
      #expect(time > last)
      last = time
    }
    // 500 ppm of two seconds.
    #expect(offset.shift >= 100 * Self.second + 199_000_000)
  }

  @Test mutating func `F49 another boot is measured anew, and a retained message is a guess`() {
    offset.note(boot: "a")
    note(50 * Self.second, transit: 0)
    offset.note(boot: "b")
    let arrival = Instant(boot: 900 * Self.second, realtime: 1000 * Self.second)
    offset.note(
      sent: Instant(boot: 3 * Self.second, realtime: 990 * Self.second), arrival: arrival,
      isRetained: true)
    #expect(offset.shift == 887 * Self.second)
    offset.note(
      sent: Instant(boot: 20 * Self.second, realtime: 1000 * Self.second), arrival: arrival,
      isRetained: false)
    #expect(offset.shift == 880 * Self.second)
  }

  @Test mutating func `F50 a wall clock that is wrong is told`() {
    #expect(offset.warning(of: "pi") == "" && offset.skew == nil)
    for number in 0..<100 { note(Int64(number), transit: 0, skew: 3 * 3600 * Self.second) }
    #expect(offset.skew == 3 * 3600 * Self.second)
    #expect(offset.warning(of: "pi") == "the clock of pi is 3 h ahead")
    for number in 0..<100 { note(Int64(number), transit: 0, skew: -90 * Self.second) }
    #expect(offset.warning(of: "pi") == "the clock of pi is 90 s behind")
    for number in 0..<100 { note(Int64(number), transit: 0, skew: 1_900_000_000) }
    #expect(offset.warning(of: "pi") == "")
  }
}
