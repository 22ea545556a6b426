import GatheredKitTesting
import Ground
import Streams
import Testing

@Suite struct TimerStreamTests {
  let clock = ManualClock()

  func grid(from start: Int64 = 0, every: Duration = .milliseconds(3)) -> TimerStream {
    TimerStream(start: Moment(nanoseconds: start * 1_000_000), every: every, clock: clock)
  }

  @Test func `ticks fall on the grid with index and moment (L44)`() {
    let timer = grid(from: 2)
    let ticks = CollectingSink<TimerStream.Tick>()
    let drawing = Drawing(timer, on: clock) { "\($0.index)" }
    let connection = timer.collect(into: ticks)
    clock.advance(by: .milliseconds(9))
    #expect(drawing.diagram == "--0--1--2")
    #expect(ticks.values.map(\.due.nanoseconds) == [2_000_000, 5_000_000, 8_000_000])
    withExtendedLifetime(connection) {}
  }

  @Test func `points that pass during a delivery are skipped, the grid stays (L45)`() {
    let timer = grid()
    let drawing = Drawing(timer, on: clock) { [clock] tick in
      if tick.index == 1 { clock.advance(by: .milliseconds(7)) }
      return "\(tick.index)"
    }
    clock.advance(to: Moment(nanoseconds: 16_000_000))
    #expect(clock.scheduledCount == 1)
    let indices = drawing.diagram.filter { $0 != "-" }
    #expect(indices == "0145")
  }

  @Test func `a start in the past begins at the first point not yet past (L45)`() {
    clock.advance(to: Moment(nanoseconds: 6_000_000))
    let drawing = Drawing(grid(), on: clock) { "\($0.index)" }
    clock.advance(by: .milliseconds(3))
    #expect(drawing.diagram == "------2--3")
  }

  @Test func `an interval below a microsecond counts as one (L45)`() {
    let ticks = CollectingSink<TimerStream.Tick>()
    let connection = grid(every: .nanoseconds(-5)).collect(into: ticks)
    clock.advance(by: .microseconds(2))
    #expect(ticks.values.map(\.due.nanoseconds) == [0, 1000, 2000])
    withExtendedLifetime(connection) {}
  }

  @Test func `a late wake-up delivers one tick, that of the newest point (L45)`() {
    let late = LateClock()
    let timer = TimerStream(start: late.now, every: .milliseconds(1), clock: late)
    let ticks = CollectingSink<TimerStream.Tick>()
    let connection = timer.collect(into: ticks)
    late.wake(at: Moment(nanoseconds: 4_500_000))
    #expect(ticks.values.map(\.index) == [4])
    #expect(late.armed == Moment(nanoseconds: 5_000_000))
    withExtendedLifetime(connection) {}
  }

  @Test func `it is armed only while observed and keeps its grid (L46)`() {
    let timer = grid()
    #expect(clock.scheduledCount == 0)
    let first = Drawing(timer, on: clock) { "\($0.index)" }
    clock.advance(by: .milliseconds(4))
    first.connection.disconnect()
    #expect(clock.scheduledCount == 0)
    clock.advance(by: .milliseconds(4))
    let second = Drawing(timer, on: clock) { "\($0.index)" }
    clock.advance(by: .milliseconds(1))
    #expect(first.diagram == "0--1")
    #expect(second.diagram == "---------3")
  }

  @Test func `an own schedule is asked when observed, after ticks, and on start (L47)`() {
    let asked = Counter()
    let timer = TimerStream(clock: clock) { [clock] in
      switch asked.increment() {
      case 1: Moment(nanoseconds: -5)
      case 2: clock.now + .milliseconds(2)
      case 4: clock.now + .milliseconds(1)
      default: nil
      }
    }
    timer.start()
    #expect(asked.count == 0)
    let drawing = Drawing(timer, on: clock) { "\($0.index)" }
    #expect(asked.count == 1)
    clock.advance(by: .milliseconds(5))
    #expect(drawing.diagram == "0-1")
    #expect(asked.count == 3)
    timer.start()
    #expect(asked.count == 4)
    clock.advance(by: .milliseconds(5))
    #expect(drawing.diagram == "0-1---2")
    #expect(asked.count == 5)
  }

  @Test func `stop pauses, start resumes, and both are remembered unobserved (L48)`() {
    let timer = grid()
    timer.stop()
    let drawing = Drawing(timer, on: clock) { "\($0.index)" }
    #expect(clock.scheduledCount == 0)
    clock.advance(by: .milliseconds(1))
    timer.start()
    clock.advance(by: .milliseconds(3))
    timer.stop()
    clock.advance(by: .milliseconds(3))
    timer.start()
    clock.advance(by: .milliseconds(3))
    #expect(drawing.diagram == "---1-----3")
  }
}
