import GatheredKitTesting
import Glibc
import Ground
import Testing
import Values

@testable import Gathering

/// A context that plays what was recorded: sources C5, V14, and the clock of C API section 12.
@Suite struct ReplayTests {
  private typealias Heard = (level: Double?, mood: String?, time: Int64, flags: SampleFlags)

  /// What a session's listener heard, in order.
  private final class Ear: Sendable {
    private let heard = Monitor<[Heard]>([])

    var all: [Heard] { heard.withLock { $0 } }
    var levels: [Double] { all.compactMap(\.level) }

    func listen(to source: Source) -> ListenerToken {
      source.addUpdateListener { update in
        self.heard.withLock { heard in
          for row in update.rows {
            heard.append((row[0].payload?.number, row[1].payload?.text, row[0].time, row[0].flags))
          }
        }
      }
    }
  }

  private func open(
    rows: Int = 10, rate: Double = 0, mode: Context.Mode = .thread
  ) throws -> (context: Context, source: Source, ear: Ear, token: ListenerToken) {
    let context = try Context.replay(RecordedDiary(rowCount: rows), mode: mode)
    try context.setRate(rate)
    let source = try context.open("diary")
    let ear = Ear()
    return (context, source, ear, ear.listen(to: source))
  }

  @Test func `V14: what stands still is stepped through, at its own times and marked`() throws {
    let (context, source, ear, token) = try open()
    try source.startUpdating(every: 1_000_000)
    #expect(source.rates.granted != nil)
    try context.seek(to: 450_000_000)
    #expect(context.position == 450_000_000 && context.duration == 900_000_000)
    #expect(ear.levels == [0, 1, 2, 3, 4])
    #expect(ear.all.map(\.mood) == [nil, nil, nil, "fine", "fine"])
    #expect(ear.all.map(\.time) == (0..<5).map { 5_000_000_000 + $0 * RecordedDiary.tenth })
    #expect(ear.all.allSatisfy { $0.flags.contains(.replayed) })
    let mood = source.allValues[1]
    #expect(mood.time == 5_300_000_000 && mood.flags.contains(.replayed))
    #expect(mood.realtime == 1_600_000_000_300_000_000)
    try context.close()
    withExtendedLifetime(token) {}
  }

  @Test func `a replay goes back, and forward again, to how things stood there`() throws {
    let (context, source, ear, token) = try open()
    try source.startUpdating(every: 1_000_000)
    try context.seek(to: 900_000_000)
    #expect(ear.levels.last == 9)
    try context.seek(to: 200_000_000)
    #expect(context.position == 200_000_000)
    try context.flush(timeout: Patience.limit)
    #expect(ear.levels.last == 2 && ear.all.last?.mood == nil)
    try context.seek(to: 500_000_000)
    #expect(ear.levels.suffix(4) == [2, 3, 4, 5])
    try context.seek(to: 100_000_000_000)
    #expect(context.position == context.duration && ear.levels.last == 9)
    #expect(throws: SourceError.self) { try context.seek(to: -1) }
    try context.close()
    withExtendedLifetime(token) {}
  }

  @Test func `what can only be polled is polled on after the clock went back`() throws {
    let context = try Context.replay(RecordedDiary(rowCount: 10, isTorn: true), mode: .thread)
    try context.setRate(0)
    let source = try context.open("diary")
    let ear = Ear()
    let token = ear.listen(to: source)
    try source.startUpdating(every: RecordedDiary.tenth)
    try context.seek(to: 900_000_000)
    #expect(ear.levels.last == 9)
    try context.seek(to: 200_000_000)
    try context.flush(timeout: Patience.limit)
    try context.seek(to: 500_000_000)
    #expect(ear.levels.suffix(4) == [2, 3, 4, 5])
    try context.close()
    withExtendedLifetime(token) {}
  }

  @Test func `as fast as it can, nothing is lost and the order stays`() throws {
    let (context, source, ear, token) = try open(rows: 500, rate: .infinity)
    try source.startUpdating(every: 1_000_000)
    #expect(Patience.wait { ear.levels.count == 500 })
    #expect(ear.levels == (0..<500).map(Double.init))
    #expect(Patience.wait { context.position == context.duration })
    #expect(source.rates.dropped == 0)
    try context.close()
    withExtendedLifetime(token) {}
  }

  @Test func `a host that dispatches late is waited for`() throws {
    let (context, source, ear, token) = try open(rows: 50, rate: .infinity, mode: .host)
    try source.startUpdating(every: 1_000_000)
    while ear.levels.count < 50 { #expect(try context.dispatch(timeout: Patience.limit) > 0) }
    #expect(ear.levels == (0..<50).map(Double.init))
    #expect(source.rates.dropped == 0)
    try context.close()
    withExtendedLifetime(token) {}
  }

  @Test func `a replay is at its end when the last row has been delivered, not before`() throws {
    let (context, source, ear, token) = try open(rate: .infinity, mode: .host)
    try source.startUpdating(every: 1_000_000)
    while ear.levels.count < 9 { _ = try context.dispatch(timeout: Patience.limit) }
    for _ in 0..<100 {
      usleep(1000)
      #expect(try #require(context.position) < 900_000_000)
    }
    while ear.levels.count < 10 { _ = try context.dispatch(timeout: Patience.limit) }
    #expect(Patience.wait { context.position == 900_000_000 })
    try context.seek(to: 0)
    #expect(try #require(context.position) < 900_000_000)
    try context.close()
    withExtendedLifetime(token) {}
  }

  @Test func `the clock stands until something starts, and runs at its rate then`() throws {
    let (context, source, ear, token) = try open(rows: 10, rate: 10)
    #expect(context.position == 0 && context.rate == 10)
    let begin = LiveTime().now.boot
    try source.startUpdating(every: 1_000_000)
    #expect(Patience.wait { ear.levels.count == 10 })
    #expect(LiveTime().now.boot - begin >= 80_000_000)
    try context.close()
    withExtendedLifetime(token) {}
  }

  @Test func `sessions that ask for less get less`() throws {
    let (context, source, ear, token) = try open(rows: 31)
    try source.startUpdating(every: 1_000_000_000)
    try context.seek(to: 3_000_000_000)
    #expect((3...5).contains(ear.levels.count))
    try context.close()
    withExtendedLifetime(token) {}
  }

  @Test func `a rate is for replays, and never negative`() throws {
    let (context, source, _, token) = try open()
    for rate in [-1, -Double.infinity, .nan] {
      #expect(throws: SourceError.self) { try context.setRate(rate) }
    }
    #expect(throws: SourceError.self) { try source.set(.double(1), ofPropertyAt: 0) }
    try context.close()
    #expect(throws: SourceError.self) { try context.setRate(1) }
    let other = try Context.open("sim:empty", catalogue: [])
    #expect(throws: SourceError.self) { try other.setRate(1) }
    #expect(other.rate == nil && other.duration == nil)
    try other.close()
    withExtendedLifetime(token) {}
  }

  @Test func `what is due behind the end is never due, and no thread spins for it`() throws {
    let pacer = ReplayPacer(from: Instant(boot: 1000, realtime: 0), duration: 500)
    let (moves, ran) = (Monitor(0), Monitor<[Int64]>([]))
    let timers = [1200, 1500, 1501].map { moment in
      pacer.loop.schedule(at: Moment(nanoseconds: moment)) { ran.withLock { $0.append(moment) } }
    }
    try pacer.run { _ in moves.withLock { $0 += 1 } }
    pacer.rate = .infinity
    pacer.begin()
    #expect(Patience.wait { pacer.position == 500 })
    usleep(50_000)
    #expect(ran.withLock { $0 } == [1200, 1500])
    #expect(moves.withLock { $0 } <= 3)
    pacer.stop()
    for timer in timers { timer.cancel() }
  }
}
