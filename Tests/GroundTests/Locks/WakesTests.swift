import GatheredKitTesting
import Ground
import Testing

@Suite struct WakesTests {
  /// Something that a thread waits for.
  private final class Flag: Sendable {
    private let state = Lock(false)
    private let changed = Condition()

    func raise() {
      state.withLock { $0 = true }
      changed.signalTogether()
    }

    func wait() -> Bool {
      changed.wait(with: state, until: Patience.end) { $0 ? true : nil } ?? false
    }
  }

  /// Threads that each wait for a flag, and tell when it was raised.
  private func waiters(
    for flags: [Flag], _ woken: Monitor<Int>
  ) throws -> [WorkerThread] {
    try flags.map { flag in
      try WorkerThread(named: "waiter") {
        if flag.wait() { woken.withLock { $0 += 1 } }
        woken.signalAll()
      }
    }
  }

  private func wait(for woken: Monitor<Int>, _ count: Int) -> Bool {
    woken.wait(until: Patience.end) { $0 == count ? true : nil } ?? false
  }

  @Test func `all that is signalled together wakes, however many`() throws {
    let (flags, woken) = ((0..<50).map { _ in Flag() }, Monitor(0))
    let threads = try waiters(for: flags, woken)
    Wakes.together { for flag in flags { flag.raise() } }
    #expect(wait(for: woken, 50))
    for thread in threads { thread.join() }
  }

  @Test func `a thread that sleeps has woken the others before`() throws {
    let (flag, woken) = (Flag(), Monitor(0))
    let threads = try waiters(for: [flag], woken)
    Wakes.together {
      flag.raise()
      #expect(wait(for: woken, 1))
    }
    for thread in threads { thread.join() }
  }

  @Test func `send wakes at once`() throws {
    let (flag, woken) = (Flag(), Monitor(0))
    let threads = try waiters(for: [flag], woken)
    Wakes.together {
      flag.raise()
      Wakes.send()
      // No lock that it waits for sends them.
      Patience.wait { woken.withLock { $0 } == 1 }
    }
    #expect(woken.withLock { $0 } == 1)
    for thread in threads { thread.join() }
  }

  @Test func `outside, each change wakes at once`() throws {
    let (flag, woken) = (Flag(), Monitor(0))
    let threads = try waiters(for: [flag], woken)
    flag.raise()
    #expect(wait(for: woken, 1))
    for thread in threads { thread.join() }
  }
}
