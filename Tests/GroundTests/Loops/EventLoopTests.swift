import GatheredKitTesting
import Glibc
import Ground
import Testing

@Suite struct EventLoopTests {
  let loop: EventLoop
  let log = LineLog()

  init() throws {
    loop = try EventLoop()
  }

  /// Runs a job on the loop and waits for its end.
  private func inside(_ job: @escaping @Sendable () -> Void) throws {
    let done = Monitor(false)
    loop.submit {
      job()
      done.withLock { $0 = true }
      done.signalAll()
    }
    try #require(done.wait(until: Patience.end) { $0 ? true : nil } != nil)
  }

  @Test func `timers run in order of time, those of one moment in the order armed`() throws {
    let now = loop.clock.now.boot
    try inside { [loop, log] in
      for (name, delay) in [("d", 3), ("a", 1), ("e", 3), ("b", 1), ("c", 2), ("past", -1)] {
        _ = loop.schedule(at: Moment(nanoseconds: now + Int64(delay) * 5_000_000)) { log.add(name) }
      }
    }
    #expect(log.wait(for: 6) == ["past", "a", "b", "c", "d", "e"])
    loop.stop()
  }

  @Test func `a timer never runs early`() {
    for delay in [0, 1_000, 1_000_000, 7_300_000] as [Int64] {
      let due = loop.clock.now.boot + delay
      _ = loop.schedule(at: Moment(nanoseconds: due)) { [loop, log] in
        log.add(loop.clock.now.boot >= due && loop.isCurrent ? "right" : "wrong")
      }
    }
    #expect(log.wait(for: 4) == ["right", "right", "right", "right"])
    #expect(!loop.isCurrent)
    loop.stop()
  }

  @Test func `an earlier timer armed from outside takes the place of a later one`() {
    let now = loop.now
    let far = loop.schedule(at: now + .seconds(3600)) { [log] in log.add("far") }
    _ = loop.schedule(at: now + .milliseconds(2)) { [log] in log.add("near") }
    #expect(log.wait(for: 1) == ["near"])
    far.cancel()
    loop.stop()
  }

  @Test func `what is cancelled does not start, even by an action of the same moment`() throws {
    let moment = loop.clock.now.boot - 1
    let second = Cancellables()
    try inside { [loop, log] in
      _ = loop.schedule(at: Moment(nanoseconds: moment)) {
        log.add("first")
        second.cancelAll()
        second.cancelAll()
      }
      second.add(loop.schedule(at: Moment(nanoseconds: moment)) { log.add("second") })
      _ = loop.schedule(at: Moment(nanoseconds: moment)) { log.add("third") }
    }
    #expect(log.wait(for: 2) == ["first", "third"])
    loop.stop()
  }

  @Test func `K1: arming and cancelling for later wakes no thread`() throws {
    try inside {}
    let before = loop.wakeUps
    let far = loop.clock.now.boot + 3_600_000_000_000
    let timers = (0..<1000).map { loop.schedule(at: Moment(nanoseconds: far - Int64($0))) {} }
    for timer in timers { timer.cancel() }
    try inside {}
    // The one job is the one wake-up.
    #expect(loop.wakeUps == before + 1)
    loop.stop()
  }

  @Test func `a thousand timers that arm themselves again all keep running`() {
    let counts = Monitor([Int](repeating: 0, count: 1000))
    let start = loop.clock.now.boot
    @Sendable func arm(_ index: Int, _ round: Int64) {
      _ = loop.schedule(at: Moment(nanoseconds: start + round * 1_000_000 + Int64(index) * 1_000)) {
        counts.withLock { $0[index] += 1 }
        counts.signalAll()
        if round < 5 { arm(index, round + 1) }
      }
    }
    for index in 0..<1000 { arm(index, 1) }
    let all = counts.wait(until: Patience.end) { $0.allSatisfy { $0 == 5 } ? true : nil }
    #expect(all == true)
    loop.stop()
  }

  @Test func `jobs run on the loop's thread in the order submitted`() {
    for number in 0..<100 {
      loop.submit { [loop, log] in log.add(loop.isCurrent ? "\(number)" : "elsewhere") }
    }
    #expect(log.wait(for: 100) == (0..<100).map { "\($0)" })
    loop.stop()
  }

  @Test func `a timer that always arms itself for the past starves neither jobs nor stop`() throws {
    @Sendable func again() { _ = loop.schedule(at: Moment(nanoseconds: 0)) { again() } }
    again()
    try inside {}
    loop.stop()
  }

  @Test func `when stop has returned nothing starts any more`() throws {
    try inside {}
    loop.stop()
    loop.stop()
    loop.submit { [log] in log.add("job") }
    let timer = loop.schedule(at: Moment(nanoseconds: 0)) { [log] in log.add("timer") }
    timer.cancel()
    #expect(log.lines.isEmpty)
    #expect(throws: SystemError(ECANCELED, at: "event loop")) {
      _ = try loop.watch(descriptor: 0, events: 1) { _ in }
    }
  }

  @Test func `a ticket of before a stop may be cancelled after it`() {
    let timer = loop.schedule(at: Moment(nanoseconds: .max)) { [log] in log.add("timer") }
    loop.stop()
    timer.cancel()
    #expect(log.lines.isEmpty)
  }

  @Test func `stopping from inside does not wait for itself and drops the rest`() {
    loop.submit { [loop, log] in
      loop.submit { log.add("dropped") }
      loop.stop()
      log.add("stopped")
    }
    #expect(log.wait(for: 1) == ["stopped"])
    loop.stop()
    #expect(log.lines == ["stopped"])
  }

  @Test func `a watch runs while its descriptor is ready and not after its end`() throws {
    let wake = try WakeDescriptor()
    let watch = try loop.watch(descriptor: wake.number, events: 1) { [log] events in
      wake.drain()
      log.add("ready \(events)")
    }
    #expect(throws: SystemError.self) {
      _ = try loop.watch(descriptor: wake.number, events: 1) { _ in }
    }
    wake.signal()
    #expect(log.wait(for: 1) == ["ready 1"])
    watch.cancel()
    watch.cancel()
    wake.signal()
    try inside {}
    try inside {}
    #expect(log.lines == ["ready 1"])
    loop.stop()
  }

  @Test func `of two ready watches the first may end the other`() throws {
    let wakes = try [WakeDescriptor(), WakeDescriptor()]
    let watches = Cancellables()
    try inside { [loop, log] in
      for (index, wake) in wakes.enumerated() {
        let watch = try? loop.watch(descriptor: wake.number, events: 1) { _ in
          log.add("ran")
          watches.cancelAll()
        }
        if let watch { watches.add(watch) }
        wakes[index].signal()
      }
    }
    #expect(log.wait(for: 1) == ["ran"])
    try inside {}
    #expect(log.lines == ["ran"])
    loop.stop()
  }

  @Test func `a file that cannot be polled is EOPNOTSUPP`() throws {
    let file = open("/etc/passwd", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(throws: SystemError(EOPNOTSUPP, at: "descriptor \(file)")) {
      _ = try loop.watch(descriptor: file, events: 1) { _ in }
    }
    loop.stop()
  }
}

/// What is cancelled together.
private final class Cancellables: Sendable {
  private let all = Lock<[any Cancellable]>([])

  func add(_ watch: any Cancellable) {
    all.withLock { $0.append(watch) }
  }

  func cancelAll() {
    for watch in all.withLock({ $0 }) { watch.cancel() }
  }
}
