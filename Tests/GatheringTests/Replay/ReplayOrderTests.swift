import GatheredKitTesting
import Glibc
import Ground
import Streams
import Testing
import Values

@testable import Gathering

/// In which order a replay that runs does what is due at one moment: the one in which it is
/// stepped, however soon the loop comes to it.
@Suite struct ReplayOrderTests {
  private final class Log: Sendable {
    private let words = Monitor<[String]>([])

    var all: [String] { words.withLock { $0 } }

    func note(_ word: String) {
      words.withLock { $0.append(word) }
      words.signalAll()
    }

    /// Gives other threads a thousand turns to note a word.
    func await(_ word: String) {
      for _ in 0..<1000 where !all.contains(word) { sched_yield() }
    }
  }

  private enum Way: CaseIterable { case runs, isStepped }

  /// Plays rows 0 to 4, and lets `heard` hear each.
  private func play(
    _ way: Way, _ log: Log, onLook: @escaping @Sendable (Int64) -> Void = { _ in },
    heard: @escaping @Sendable (ContextQueue, Int) -> Void
  ) throws {
    var diary = RecordedDiary(rowCount: 5)
    diary.onLook = onLook
    let context = try Context.replay(diary)
    try context.setRate(0)
    let source = try context.open("diary")
    let queue = context.queue
    let token = source.addUpdateListener { update in
      for row in update.rows {
        let level = Int(row[0].payload?.number ?? -1)
        log.note("row \(level)")
        heard(queue, level)
      }
    }
    try source.startUpdating(every: 1_000_000)
    try context.flush(timeout: Patience.limit)
    if way == .runs {
      try context.setRate(.infinity)
      #expect(Patience.wait { context.position == context.duration })
    } else {
      try context.seek(to: try #require(context.duration))
    }
    try context.close()
    withExtendedLifetime(token) {}
  }

  private static func moment(ofRow row: Int) -> Moment {
    Moment(nanoseconds: 5_000_000_000 + Int64(row) * RecordedDiary.tenth)
  }

  @Test(arguments: Way.allCases)
  private func `what hears a row is behind all that brought it`(_ way: Way) throws {
    let log = Log()
    let timer = Monitor<Connection?>(nil)
    try play(
      way, log,
      onLook: { moment in
        // Row 1 has been sent, and row 2 is not yet due: the loop is quick.
        if moment == Self.moment(ofRow: 1).nanoseconds { log.await("row 1") }
      },
      heard: { queue, row in
        guard row == 1 else { return }
        let new = queue.alarm(at: Self.moment(ofRow: 2)) { log.note("timer") }
        timer.withLock { $0 = new }
      })
    #expect(log.all == ["row 0", "row 1", "row 2", "timer", "row 3", "row 4"])
  }

  @Test(arguments: Way.allCases)
  private func `what a row leads to is done before the next`(_ way: Way) throws {
    let log = Log()
    try play(way, log) { queue, row in
      guard row == 1 else { return }
      queue.submit {
        queue.submit {
          // The clock has had time to move on.
          log.await("row 2")
          log.note("led to at \(queue.now.nanoseconds)")
        }
      }
    }
    #expect(log.all == ["row 0", "row 1", "led to at 5100000000", "row 2", "row 3", "row 4"])
  }

  @Test(arguments: Way.allCases)
  private func `jobs that queue themselves for ever stop no replay`(_ way: Way) throws {
    let log = Log()
    let goesOn = Monitor(true)
    @Sendable func chain(_ queue: ContextQueue) {
      queue.submit { if goesOn.withLock({ $0 }) { chain(queue) } }
    }
    try play(way, log) { queue, row in
      if row == 1 { chain(queue) }
    }
    #expect(log.all == (0...4).map { "row \($0)" })
    goesOn.withLock { $0 = false }
  }
}
