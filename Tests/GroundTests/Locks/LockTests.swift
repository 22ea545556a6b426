import Glibc
import Ground
import Synchronization
import Testing

/// C API 27: one lock, which no thread enters twice, and an order among all of them.
@Suite struct LockTests {
  @Test func `no addition is lost between threads`() throws {
    let sum = Shared(0)
    let threads = try (0..<4).map { number in
      try WorkerThread(named: "adder \(number)") {
        for _ in 0..<10_000 { sum.lock.withLock { $0 += 1 } }
      }
    }
    for thread in threads { thread.join() }
    #expect(sum.lock.withLock { $0 } == 40_000)
  }

  @Test func `what a body throws is thrown, and the lock is free behind it`() {
    struct Refusal: Error {}
    let shared = Shared(1)
    #expect(throws: Refusal.self) { try shared.lock.withLock { _ in throw Refusal() } }
    #expect(shared.lock.withLock { $0 } == 1)
  }

  @Test func `what it guards goes with it`() {
    let isGone = Flag()
    var shared: Shared<Guest>? = Shared(Guest(isGone))
    #expect(shared != nil && !isGone.value)
    shared = nil
    #expect(isGone.value)
  }

  @Test func `errno is as it was before a lock that had to be waited for`() throws {
    let shared = Shared(0)
    let holder = try WorkerThread(named: "holder") {
      for _ in 0..<1000 { shared.lock.withLock { _ in _ = sched_yield() } }
    }
    for _ in 0..<1000 {
      errno = ENOTTY
      shared.lock.withLock { $0 += 1 }
      #expect(errno == ENOTTY)
    }
    holder.join()
  }

  #if DEBUG
    @Test func `a lock taken twice by a thread ends the process, with both places`() async {
      let outcome = await #expect(
        processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
      ) {
        let shared = Shared(0)
        shared.lock.withLock { _ in shared.lock.withLock { _ in } }
      }
      let told = String(decoding: outcome?.standardErrorContent ?? [], as: UTF8.self)
      #expect(told.contains("a lock is taken again at GroundTests/LockTests.swift:"))
      #expect(told.contains("with a lock taken at GroundTests/LockTests.swift:"))
    }

    @Test func `a lock taken against the order ends the process`() async {
      let outcome = await #expect(
        processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
      ) {
        let decisions = Monitor(0, rank: .context)
        let leaf = Monitor(0)
        decisions.withLock { _ in leaf.withLock { _ in } }
        leaf.withLock { _ in decisions.withLock { _ in } }
      }
      let told = String(decoding: outcome?.standardErrorContent ?? [], as: UTF8.self)
      #expect(told.contains("a lock is taken against the order"))
    }

    @Test func `two locks of one rank are not held by one thread`() async {
      await #expect(processExitsWith: .signal(SIGABRT)) {
        let one = Monitor(0)
        let other = Monitor(0)
        one.withLock { _ in other.withLock { _ in } }
      }
    }

    @Test func `what may call out is not let go under a lock`() async {
      let outcome = await #expect(
        processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
      ) {
        let shared = Shared<Caller?>(Caller())
        shared.lock.withLock { $0 = nil }
      }
      let told = String(decoding: outcome?.standardErrorContent ?? [], as: UTF8.self)
      #expect(told.contains("a thread calls out, with a lock taken at GroundTests/"))
    }

    @Test func `nothing waits with a lock of decisions held`() async {
      await #expect(processExitsWith: .signal(SIGABRT)) {
        let decisions = Monitor(0, rank: .context)
        let leaf = Monitor(0)
        decisions.withLock { _ in _ = leaf.wait(until: 0) { $0 > 0 ? $0 : nil } }
      }
    }
  #endif

  /// An object to share a lock by.
  private final class Shared<State: Sendable>: Sendable {
    let lock: Lock<State>
    init(_ state: State) { lock = Lock(state) }
  }

  private final class Flag: Sendable {
    private let state = Atomic(false)
    var value: Bool { state.load(ordering: .acquiring) }
    func set() { state.store(true, ordering: .releasing) }
  }

  private final class Guest: Sendable {
    private let isGone: Flag
    init(_ isGone: Flag) { self.isGone = isGone }
    deinit { isGone.set() }
  }

  private final class Caller: Sendable {
    deinit { LockRank.expectNoLock("calls out") }
  }
}
