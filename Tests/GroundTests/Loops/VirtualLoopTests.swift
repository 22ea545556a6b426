import GatheredKitTesting
import Glibc
import Ground
import Testing

@Suite struct VirtualLoopTests {
  let loop = VirtualLoop()
  let log = LineLog()

  private func note(_ name: String) {
    log.add("\(name) \(loop.clock.now.boot)\(loop.isCurrent ? "" : " elsewhere")")
  }

  @Test func `advancing runs everything on the way, each at its own moment`() {
    for (name, moment) in [("c", 30), ("a", 10), ("d", 30), ("late", 41)] as [(String, Int64)] {
      _ = loop.schedule(at: Moment(nanoseconds: moment)) { note(name) }
    }
    _ = loop.schedule(at: Moment(nanoseconds: 10)) { [self] in
      note("b")
      _ = loop.schedule(at: Moment(nanoseconds: 20)) { note("armed inside") }
      _ = loop.schedule(at: Moment(nanoseconds: 5)) { note("past") }
      loop.submit { note("job") }
    }
    loop.advance(to: 40) { log.add("|") }
    #expect(
      log.lines == [
        "a 10", "|", "b 10", "|", "job 10", "|", "past 10", "|", "armed inside 20", "|", "c 30",
        "|", "d 30", "|",
      ])
    #expect(loop.clock.now == Instant(boot: 40, realtime: 1_700_000_000_000_000_040))
    #expect(loop.nextDue == 41)
    #expect(!loop.isCurrent)
  }

  @Test func `runNext moves the clock only to something due`() {
    _ = loop.schedule(at: Moment(nanoseconds: 7)) { note("x") }
    #expect(!loop.runNext(upTo: 6))
    #expect(loop.clock.now.boot == 0)
    #expect(loop.runNext(upTo: 7))
    #expect(!loop.runNext(upTo: .max))
    #expect(log.lines == ["x 7"])
    #expect(loop.nextDue == nil)
  }

  @Test func `jobs are due at once and run in the order submitted`() {
    loop.submit { note("1") }
    loop.submit { note("2") }
    #expect(loop.nextDue == 0)
    loop.advance(to: 0)
    #expect(log.lines == ["1 0", "2 0"])
  }

  @Test func `what is cancelled does not run`() {
    let timer = loop.schedule(at: Moment(nanoseconds: 1)) { note("x") }
    timer.cancel()
    timer.cancel()
    loop.advance(to: 2)
    #expect(log.lines.isEmpty)
  }

  @Test func `the clock never goes back`() {
    loop.advance(to: 5)
    loop.advance(to: 3)
    #expect(loop.clock.now.boot == 5)
  }

  @Test func `no descriptor can be watched`() {
    #expect(throws: SystemError.self) { _ = try loop.watch(descriptor: 0, events: 1) { _ in } }
  }
}
