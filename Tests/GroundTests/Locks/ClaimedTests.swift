import Ground
import Synchronization
import Testing

/// State that one caller at a time uses, and for which nothing waits.
@Suite struct ClaimedTests {
  @Test func `a caller inside another's body is turned away`() {
    let claimed = Claimed(1)
    let seen = claimed.withClaim { number in
      #expect(claimed.withClaim { $0 } == nil)
      number += 1
      return number
    }
    #expect(seen == 2)
    #expect(claimed.withClaim { $0 } == 2)
  }

  @Test func `what a body throws is thrown, and the state is free behind it`() {
    struct Refusal: Error {}
    let claimed = Claimed(1)
    #expect(throws: Refusal.self) { _ = try claimed.withClaim { _ in throw Refusal() } }
    #expect(claimed.withClaim { $0 } == 1)
  }

  @Test func `of several threads each is let in alone or turned away`() throws {
    let claimed = Claimed(0)
    let refusals = RefusalCount()
    let threads = try (0..<4).map { number in
      try WorkerThread(named: "claimer \(number)") {
        for _ in 0..<10_000 where claimed.withClaim({ $0 += 1 }) == nil {
          refusals.count.add(1, ordering: .relaxed)
        }
      }
    }
    for thread in threads { thread.join() }
    let done = claimed.withClaim { $0 } ?? 0
    #expect(done + refusals.count.load(ordering: .relaxed) == 40_000)
  }

  private final class RefusalCount: Sendable {
    let count = Atomic<Int>(0)
  }
}
