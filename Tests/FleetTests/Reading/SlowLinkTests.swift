import Ground
import Machine
import Testing

@testable import Fleet

/// Lists over a network whose packets take their time (fleet F40, F41).
struct SlowLinkTests {
  private static let millisecond: Int64 = 1_000_000
  private var state = FleetState()
  private let online = OnlineMessage(isOnline: true, session: "s", since: 0)
  private let arrival = Instant(boot: 0, realtime: 0)

  /// Lets time pass, and gives what is asked for meanwhile, as one request.
  private mutating func pass(_ now: Int64, _ request: Int32) -> [String] {
    state.goOn(at: now * Self.millisecond)
    defer { state.subscriptions = [] }
    if !state.subscriptions.isEmpty { state.requests[request] = state.subscriptions }
    return state.subscriptions.map { $0.text(below: "r") }
  }

  private mutating func answer(_ request: Int32, at now: Int64) {
    state.noteAnswer(to: request, at: now * Self.millisecond)
  }

  private mutating func hear(_ name: String, at now: Int64) throws {
    try state.take(online, of: name, arrival, isRetained: true, at: now * Self.millisecond)
  }

  private mutating func hearList(of name: String, at now: Int64) throws {
    let list = DeviceMessage(device: name, session: "s", boot: "b", sent: arrival)
    try state.take(list, of: name, arrival, isRetained: true, at: now * Self.millisecond)
  }

  @Test mutating func `F40 a broker that is far away is waited for`() throws {
    state.connect(at: 0)
    var found = pass(0, 1)
    #expect(found == ["r/v1/+/online"])
    // The answer takes 900 ms, and what was lost on the way twice that.
    found = pass(890, 2)
    #expect(found.isEmpty)
    answer(1, at: 900)
    found = pass(1700, 2)
    #expect(found.isEmpty)
    try hear("pi", at: 1700)
    found = pass(3400, 2)
    #expect(found.isEmpty)
    found = pass(3600, 2)
    #expect(found == ["r/v1/+/device"])
    found = pass(4400, 3)
    #expect(found.isEmpty && !state.isListed)
    answer(2, at: 4500)
    try hearList(of: "pi", at: 4600)
    found = pass(6000, 3)
    #expect(found.isEmpty && !state.isListed)
    _ = pass(6500, 3)
    #expect(state.isListed)
  }

  @Test mutating func `F40 a broker that is near is not waited for longer than it takes`() throws {
    state.connect(at: 0)
    _ = pass(0, 1)
    answer(1, at: 1)
    try hear("pi", at: 2)
    var found = pass(240, 2)
    #expect(found.isEmpty)
    found = pass(260, 2)
    #expect(found == ["r/v1/+/device"])
    answer(2, at: 261)
    try hearList(of: "pi", at: 262)
    _ = pass(530, 3)
    #expect(state.isListed)
  }

  @Test mutating func `F40 a broker that answers nothing is waited for 5 s`() {
    state.connect(at: 0)
    _ = pass(0, 1)
    var found = pass(4990, 2)
    #expect(found.isEmpty)
    found = pass(5010, 2)
    #expect(found == ["r/v1/+/device"])
    found = pass(10_020, 3)
    #expect(found.isEmpty && state.isListed)
  }

  @Test mutating func `F41 what a far machine's sources are is waited for`() throws {
    state.connect(at: 0)
    _ = pass(0, 1)
    answer(1, at: 800)
    try hear("pi", at: 810)
    _ = pass(2500, 2)
    answer(2, at: 3300)
    var list = DeviceMessage(device: "pi", session: "s", boot: "b", sent: arrival)
    list.streams = ["shaken"]
    try state.take(
      list, of: "pi", arrival, isRetained: true, at: 3310 * Self.millisecond)
    _ = pass(5000, 3)
    #expect(state.isListed)
    var isKnown = state.ask("pi")
    #expect(!isKnown)
    let found = pass(5000, 4)
    #expect(found == ["r/v1/pi/+/+/about"])
    _ = pass(6500, 5)
    isKnown = state.ask("pi")
    #expect(!isKnown, "its broker has not answered")
    answer(4, at: 6600)
    _ = pass(7800, 5)
    isKnown = state.ask("pi")
    #expect(!isKnown, "what is retained is on its way")
    _ = pass(8300, 5)
    isKnown = state.ask("pi")
    #expect(isKnown)
  }
}
