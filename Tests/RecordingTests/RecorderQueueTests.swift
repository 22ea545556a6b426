import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import Recording

/// What the queue between sources and the recorder's thread keeps, and lets go of.
struct RecorderQueueTests {
  @Test func `a source that only the queue keeps ends outside the queue's lock`() throws {
    let queue = RecorderQueue(RecorderOptions())
    weak var kept: Source?
    do {
      let context = try RecorderTests.simulated("phone")
      let source = try context.open("battery")
      kept = source
      #expect(queue.add(.source(source, RecordedSeries(0, source))) == 0)
    }
    #expect(kept != nil)
    // A debug build ends the process where a source ends under a lock.
    queue.report(done: 0, isOver: true, held: 0, written: RecorderStatistics(), failure: nil)
    #expect(kept == nil)
  }

  /// Short deliveries of a sensor that go on where the last one ended, but for a gap and a word;
  /// the clocks drift apart.
  private static func deliveries() throws -> [RowSlice] {
    let fixture = try FixtureMachine()
    let shaker = Shaker()
    let context = try Context.open(on: fixture.machine, loop: fixture.loop, catalogue: [shaker])
    let kept = SliceKeeper()
    let source = try context.open("shaker")
    source.add(kept)
    try source.startUpdating(every: 10_000_000)
    for turn in 0..<100 {
      let times = (0..<1 + turn % 3).map { Int64(turn * 10 + $0 + 1) * 1_000_000 }
      let numbers = times.flatMap { [Double($0 % 7) * 0.000598, turn == 60 ? .nan : 1, 2] }
      var block = SampleBlock(
        times: times, origin: .kernel, columns: [0: .numbers(numbers, width: 3)],
        hasGap: turn == 30)
      block.columns[1] = .runs([.init(from: 0, .ok(.string(turn < 80 ? "still" : "moving")))])
      block.realtimeOffset = Int64(turn / 10) * 3
      shaker.deliver.withLock { $0 }?(block)
    }
    try context.close()
    return kept.slices
  }

  @Test func `rows that go on where others end wait with those, and stay as they are`() throws {
    let slices = try Self.deliveries()
    let queue = RecorderQueue(RecorderOptions())
    for slice in slices { queue.store(slice, ofSeries: 7) }
    let batch = queue.takeNow(letting: [])
    #expect(slices.count == 100 && batch.items.count > 2 && batch.items.count < 10)
    var (whole, single) = (RowTable(properties: 3), RowTable(properties: 3))
    for item in batch.items {
      guard case .rows(let rows) = item.content else { continue }
      whole.append(rows, rows: 0..<rows.rowCount)
    }
    for slice in slices {
      for row in 0..<slice.rowCount {
        let time = slice.time(ofRow: row)
        single.append(
          time: time, offset: slice.realtime(ofRow: row) - time, slice.samples(ofRow: row))
      }
    }
    var scales = [[Numbers.Scale?]](repeating: [nil, nil, nil], count: 2)
    #expect(
      whole.body(ofSeries: 7, scales: &scales[0]) == single.body(ofSeries: 7, scales: &scales[1]))
    #expect(whole.rowCount == 199 && queue.rowsTaken == 199)
  }

  @Test func `rows behind a loss, an event or too many others begin anew`() throws {
    let slices = Array(try Self.deliveries()[..<20])
    var options = RecorderOptions()
    options.blockRows = 8
    let short = RecorderQueue(options)
    for slice in slices { short.store(slice, ofSeries: 0) }
    let counts = short.takeNow(letting: []).items.map { item -> Int in
      if case .rows(let rows) = item.content { rows.rowCount } else { 0 }
    }
    #expect(counts.reduce(0, +) == 39 && counts.allSatisfy { (1...8).contains($0) })
    let queue = RecorderQueue(RecorderOptions())
    queue.store(slices[0], ofSeries: 0)
    queue.store(.started, at: Instant(boot: 1, realtime: 1), ofSeries: 0)
    for slice in slices[1..<4] { queue.store(slice, ofSeries: 0) }
    #expect(queue.takeNow(letting: []).items.count == 3)
  }
}
