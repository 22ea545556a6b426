import Ground
import Recording
import Testing
import Values

@testable import Fleet

/// What there is to say of other machines' wall clocks.
struct ClockNewsTests {
  private static let hour: Int64 = 3_600_000_000_000
  private var state = FleetState()

  /// A message of the machine whose wall clock is so far ahead.
  private mutating func hear(ahead: Int64, at now: Int64) throws {
    let arrival = Instant(boot: now, realtime: 1_700_000_000_000_000_000 + now)
    var list = DeviceMessage(
      device: "pi", session: "s", boot: "b",
      sent: Instant(boot: now, realtime: arrival.realtime + ahead))
    list.streams = ["shaken"]
    if state.devices["pi"] == nil {
      try state.take(list, of: "pi", arrival, isRetained: true, at: now)
    }
    var series = RowsMessage(session: "s", number: 0)
    series.append(.series, ["series": .int(0), "stream": .string("shaken")])
    let rows = try series.bytes(at: list.sent, isLate: false).withUnsafeBytes { bytes in
      try ReceivedRows(bytes)
    }
    let key = FleetKey(device: "pi", kind: "stream", instance: "shaken")
    _ = try state.take(rows, of: key, arrival, isRetained: false)
  }

  private static let amounts: [(Double, String)] = [
    (2.6, "3 s ahead"), (119.4, "119 s ahead"), (150, "3 min ahead"), (7199, "120 min ahead"),
    (10_799.98, "3 h ahead"), (259_140, "3 days ahead"), (-10_800.02, "3 h behind"),
  ]

  @Test(arguments: amounts)
  func `F50 how much a clock is ahead is told to the nearest`(seconds: Double, told: String) {
    var clock = BootOffset()
    clock.note(
      sent: Instant(boot: 1, realtime: 1_700_000_000_000_000_000 + Int64(seconds * 1e9)),
      arrival: Instant(boot: 2, realtime: 1_700_000_000_000_000_000), isRetained: false)
    #expect(clock.warning(of: "pi") == "the clock of pi is \(told)")
  }

  @Test mutating func `F50 a wall clock that is set is news of its machine's sources`() throws {
    try hear(ahead: 3 * Self.hour, at: 1)
    #expect(state.devices["pi"]?.clock.warning(of: "pi") == "the clock of pi is 3 h ahead")
    #expect(state.changed == ["stream"])
    state.changed = []
    try hear(ahead: 3 * Self.hour, at: 2)
    #expect(state.changed.isEmpty)
    // The median of the last 64 counts.
    for number in 3..<Int64(70) { try hear(ahead: 0, at: number) }
    #expect(state.devices["pi"]?.clock.warning(of: "pi") == "" && state.changed == ["stream"])
  }
}
