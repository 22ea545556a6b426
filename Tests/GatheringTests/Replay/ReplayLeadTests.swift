import GatheredKitTesting
import Ground
import Streams
import Testing
import Values

@testable import Gathering

/// A replay without pace brings many rows at once to what takes them (decision 0025).
@Suite struct ReplayLeadTests {
  private static let begin: Int64 = 5_000_000_000

  /// Opens a replay that stands, of which `looks` counts the deliveries.
  private func open(
    rows: Int, looks: Monitor<Int> = Monitor(0)
  ) throws -> (context: Context, source: Source) {
    var diary = RecordedDiary(rowCount: rows)
    diary.onLook = { _ in looks.withLock { $0 += 1 } }
    let context = try Context.replay(diary)
    try context.setRate(0)
    return (context, try context.open("diary"))
  }

  /// Reads levels until there are so many.
  private func levels(_ count: Int, from reader: Reader) throws -> [Double] {
    var levels: [Double] = []
    while levels.count < count {
      let frame = try #require(try reader.nextFrame(within: Patience.limit))
      levels += frame.column("level")?.numbers ?? []
    }
    return levels
  }

  @Test func `a reader gets every row in order, many at once`() throws {
    let looks = Monitor(0)
    let (context, source) = try open(rows: 3000, looks: looks)
    let reader = try source.reader(capacity: 10_000)
    try source.startUpdating(every: 1_000_000)
    try context.setRate(.infinity)
    #expect(try levels(3000, from: reader) == (0..<3000).map(Double.init))
    #expect(Patience.wait { context.position == context.duration })
    #expect(looks.withLock { $0 } < 30)
    #expect(source.rates.dropped == 0 && reader.statistics.dropped == 0)
    try context.close()
  }

  @Test func `a listener beside the reader hears every row at its own moment`() throws {
    let (context, source) = try open(rows: 300)
    let reader = try source.reader(capacity: 10_000)
    let heard = Monitor<[Int64]>([])
    let queue = context.queue
    let token = source.addUpdateListener { update in
      let late = queue.now.nanoseconds - (update.latest.first?.time ?? 0)
      heard.withLock { $0 += [Int64](repeating: late, count: update.rowCount) }
    }
    try source.startUpdating(every: 1_000_000)
    try context.setRate(.infinity)
    #expect(Patience.wait { context.position == context.duration })
    #expect(heard.withLock { $0 } == [Int64](repeating: 0, count: 300))
    #expect(try levels(300, from: reader).last == 299)
    try context.close()
    withExtendedLifetime(token) {}
  }

  @Test func `what is due between finds the rows before it, and no later one`() throws {
    let (context, source) = try open(rows: 100)
    let reader = try source.reader(capacity: 10_000)
    let found = Monitor<[[Double]]>([])
    let timers = [21, 55].map { row in
      let due = Moment(nanoseconds: Self.begin + Int64(row) * RecordedDiary.tenth - 1)
      return context.queue.alarm(at: due) {
        let frame = try? reader.nextFrame()
        found.withLock { $0.append(frame?.column("level")?.numbers ?? []) }
      }
    }
    try source.startUpdating(every: 1_000_000)
    try context.setRate(.infinity)
    #expect(Patience.wait { context.position == context.duration })
    #expect(found.withLock { $0 } == [0..<21, 21..<55].map { $0.map(Double.init) })
    #expect(try levels(45, from: reader) == (55..<100).map(Double.init))
    try context.close()
    withExtendedLifetime(timers) {}
  }

  @Test func `no more rows come at once than all who take them have room for`() {
    let lead = ReplayLead()
    #expect(lead.rows(of: 2) == 0)
    let large = RowRoom { _ in .max }
    lead.add(large) { false }
    #expect(lead.rows(of: 2) == 4096)
    do {
      let small = RowRoom { 100 / $0 }
      lead.add(small) { false }
      #expect(lead.rows(of: 2) == 50 && lead.rows(of: 0) == 100)
      withExtendedLifetime(small) {}
    }
    #expect(lead.rows(of: 2) == 4096)
    withExtendedLifetime(large) {}
  }

  @Test func `nothing comes ahead while callbacks hear rows`() {
    let lead = ReplayLead()
    let isHeard = Monitor(true)
    let room = RowRoom { _ in 9 }
    lead.add(room) { isHeard.withLock { $0 } }
    #expect(lead.rows(of: 1) == 0)
    isHeard.withLock { $0 = false }
    #expect(lead.rows(of: 1) == 9)
    withExtendedLifetime(room) {}
  }

  @Test func `a listener of less hears its rows at their moments too`() throws {
    let (context, source) = try open(rows: 100)
    let reader = try source.reader(capacity: 10_000)
    let other = try context.open("diary")
    let late = Monitor<[Int64]>([])
    let queue = context.queue
    let token = other.addUpdateListener { update in
      let moment = queue.now.nanoseconds - (update.latest.first?.time ?? 0)
      late.withLock { $0.append(moment) }
    }
    try source.startUpdating(every: 1_000_000)
    try other.startUpdating(every: 2_000_000_000)
    try context.setRate(.infinity)
    #expect(Patience.wait { context.position == context.duration })
    #expect(late.withLock { $0.count > 3 && $0.allSatisfy { $0 == 0 } })
    #expect(try levels(100, from: reader).last == 99)
    try context.close()
    withExtendedLifetime(token) {}
  }

  @Test func `a reader that is full leaves no room, and a closed one all`() throws {
    let (context, source) = try open(rows: 10)
    let queue = try ReaderQueue(capacity: 5, overflow: .block)
    #expect(queue.room == 5)
    for _ in 0..<2 { queue.store(Block(count: 4), from: source.number) }
    #expect(queue.room == 0)
    queue.close()
    #expect(queue.room == .max)
    try context.close()
  }
}
