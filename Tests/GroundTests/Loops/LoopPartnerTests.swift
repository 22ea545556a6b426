import GatheredKitTesting
import Glibc
import Ground
import Testing

@Suite struct LoopPartnerTests {
  /// Where a piece of work ran.
  private enum Place: Sendable { case partner, loop }

  /// A loop with a thread that sleeps there as its partner.
  private final class Pair: Sendable {
    let loop: EventLoop
    let partner: LoopPartner
    private let state = Monitor((isOver: false, isHeld: false, isWaiting: false, thread: UInt(0)))
    private let thread = Lock<WorkerThread?>(nil)

    init() throws {
      loop = try EventLoop(hasPartner: true)
      partner = try #require(loop.partner)
      let thread = try WorkerThread(named: "partner") { [state, partner] in
        state.withLock { $0.thread = CurrentThread.identity }
        while !state.withLock({ $0.isOver }) {
          partner.sleep()
          // Set in every round: hold() may have been called since the round before.
          while state.withLock({ state in
            state.isWaiting = state.isHeld
            return state.isHeld
          }) {
            state.signalAll()
            state.wait { $0.isHeld ? nil : () }
          }
        }
      }
      self.thread.withLock { $0 = thread }
    }

    /// Where the calling thread is.
    var place: Place {
      state.withLock { $0.thread == CurrentThread.identity } ? .partner : .loop
    }

    /// Keeps the partner from sleeping, as a long callback does, or lets it sleep again.
    func hold(_ isHeld: Bool) {
      state.withLock { $0.isHeld = isHeld }
      state.signalAll()
      partner.wake()
      if isHeld { #expect(state.wait(until: Patience.end) { $0.isWaiting ? true : nil } ?? false) }
    }

    /// Runs a timer that is due soon; where it ran.
    func runTimer() -> Place? {
      let place = Monitor<Place?>(nil)
      _ = loop.schedule(at: loop.now + .milliseconds(1)) { [self] in
        let here = self.place
        place.withLock { $0 = here }
        place.signalAll()
      }
      return place.wait(until: Patience.end) { $0 }
    }

    func end() {
      loop.stop()
      state.withLock { $0.isOver = true }
      hold(false)
      thread.withLock { $0 }?.join()
    }
  }

  @Test func `a timer wakes the partner while it sleeps, and not the loop's thread`() throws {
    let pair = try Pair()
    defer { pair.end() }
    #expect(Patience.wait { pair.runTimer() == .partner })
    // Where the partner slept at the timer, that thread ran it, and no other woke.
    let isAlone = Patience.wait {
      let before = pair.loop.wakeUps
      let places = (0..<5).map { _ in pair.runTimer() }
      return places.allSatisfy { $0 == .partner } && pair.loop.wakeUps == before + 5
    }
    #expect(isAlone)
  }

  @Test func `while the partner is busy the loop's thread runs the timers`() throws {
    let pair = try Pair()
    defer { pair.end() }
    pair.hold(true)
    for _ in 0..<20 { #expect(pair.runTimer() == .loop) }
    pair.hold(false)
    #expect(Patience.wait { pair.runTimer() == .partner })
  }

  @Test func `jobs and descriptors are the loop's own, and work never overlaps`() throws {
    let pair = try Pair()
    defer { pair.end() }
    let (running, log) = (Monitor(0), LineLog())
    let work = { @Sendable (line: String) in
      let isAlone = running.withLock { running in
        running += 1
        return running == 1
      }
      #expect(isAlone && pair.loop.isCurrent)
      running.withLock { $0 -= 1 }
      log.add(line)
    }
    let wake = try WakeDescriptor()
    let watch = try pair.loop.watch(descriptor: wake.number, events: 1) { _ in
      wake.drain()
      #expect(pair.place == .loop)
      work("watch")
    }
    defer { watch.cancel() }
    for number in 0..<2000 {
      _ = pair.loop.schedule(at: pair.loop.now + .microseconds(Int64(number % 7) * 20)) {
        work("timer")
      }
      pair.loop.submit {
        #expect(pair.place == .loop)
        work("job")
      }
      wake.signal()
    }
    let isDone = Patience.wait {
      let lines = log.lines
      return lines.count { $0 == "timer" } == 2000 && lines.count { $0 == "job" } == 2000
        && lines.contains("watch")
    }
    #expect(isDone)
  }

  @Test func `timers that arm themselves again all keep running, on either thread`() throws {
    let pair = try Pair()
    defer { pair.end() }
    let counts = Monitor([Int](repeating: 0, count: 200))
    @Sendable func arm(_ index: Int, _ round: Int) {
      _ = pair.loop.schedule(at: pair.loop.now + .microseconds(Int64(index % 10) * 100)) {
        counts.withLock { $0[index] += 1 }
        counts.signalAll()
        if round < 20 { arm(index, round + 1) }
      }
    }
    for index in 0..<200 { arm(index, 1) }
    for turn in 0..<20 {
      pair.hold(turn % 2 == 0)
      _ = pair.runTimer()
    }
    let all = counts.wait(until: Patience.end) { $0.allSatisfy { $0 == 20 } ? true : nil }
    #expect(all == true)
  }

  @Test func `stop waits for a timer that the partner runs`() throws {
    let pair = try Pair()
    let (log, isInside) = (LineLog(), Monitor(false))
    _ = pair.loop.schedule(at: pair.loop.now) {
      isInside.withLock { $0 = true }
      isInside.signalAll()
      usleep(20_000)
      log.add("ran")
    }
    #expect(isInside.wait(until: Patience.end) { $0 ? true : nil } ?? false)
    pair.loop.stop()
    #expect(log.lines == ["ran"])
    pair.end()
  }

  @Test func `stopping inside a timer does not wait for itself`() throws {
    let (pair, log) = (try Pair(), LineLog())
    _ = pair.loop.schedule(at: pair.loop.now) {
      pair.loop.stop()
      log.add("stopped")
    }
    #expect(log.wait(for: 1) == ["stopped"])
    pair.end()
  }
}
