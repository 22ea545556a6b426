import Ground
import Testing

@Suite struct MonitorTests {
  @Test func `who waits is woken by a change`() throws {
    let monitor = Monitor(0)
    let thread = try WorkerThread(named: "counter") {
      for _ in 0..<1000 {
        monitor.withLock { $0 += 1 }
        monitor.signalAll()
      }
    }
    #expect(monitor.wait { $0 == 1000 ? $0 : nil } == 1000)
    thread.join()
  }

  @Test func `a moment that has passed ends the wait without an answer`() {
    let monitor = Monitor(0)
    #expect(monitor.wait(until: Monitor<Int>.moment(after: 1_000_000)) { $0 > 0 ? $0 : nil } == nil)
    #expect(monitor.wait(until: -1) { $0 > 0 ? $0 : nil } == nil)
    #expect(monitor.wait(until: 0) { $0 == 0 ? "there" : nil } == "there")
  }

  @Test func `a moment beyond all time is the end of time`() {
    #expect(Monitor<Int>.moment(after: .max) == .max)
  }

  @Test func `no addition is lost between threads`() throws {
    let monitor = Monitor(0)
    let threads = try (0..<4).map { number in
      try WorkerThread(named: "adder \(number)") {
        for _ in 0..<10_000 { monitor.withLock { $0 += 1 } }
      }
    }
    for thread in threads { thread.join() }
    #expect(monitor.withLock { $0 } == 40_000)
  }
}
