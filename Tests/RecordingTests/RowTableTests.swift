import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import Recording

/// Blocks of rows: what comes out is what went in, and nothing that went wrong comes out.
struct RowTableTests {
  static func table(seed: UInt64, rows: Int) -> (RowTable, [[Sample]]) {
    var random = RandomRows(seed: seed, properties: 10)
    let samples = (0..<rows).map { _ in random.next() }
    var table = RowTable(properties: 10)
    for row in samples { table.append(row) }
    return (table, samples)
  }

  @Test func `samples of every type and status come back to the bit`() throws {
    for seed in UInt64(0)..<60 {
      let (table, samples) = Self.table(seed: seed, rows: 1 + Int(seed * 7 % 300))
      var scales = [Numbers.Scale?](repeating: nil, count: 10)
      let body = table.body(ofSeries: 3, scales: &scales)
      let read = RecordedRows(series: 3, try RowTable(body: body))
      #expect(read.rowCount == samples.count && read.propertyCount == 10)
      for (row, expected) in samples.enumerated() {
        #expect(read.samples(ofRow: row).map(\.exact) == expected.map(\.exact))
      }
    }
  }

  @Test func `a value that is carried on takes no room`() {
    var table = RowTable(properties: 2)
    let constant = Sample(.string("calibrated"), time: 5, realtime: 6, sequence: 1)
    var carried = constant
    carried.flags = []
    for row in 0..<4000 {
      let tick = Sample(
        .int(Int64(row)), time: 10 + Int64(row), realtime: 20 + Int64(row),
        sequence: UInt64(row + 1))
      table.append([tick, row == 0 ? constant : carried])
    }
    var scales: [Numbers.Scale?] = [nil, nil]
    #expect(table.body(ofSeries: 0, scales: &scales).count < 200)
    #expect(table.sample(row: 3999, property: 1).exact == carried.exact)
  }

  /// Slices as sessions get them: of columns, of runs with the times of their rows and of others,
  /// in deliveries of any size, behind gaps, replayed, with a row that is no number.
  private static func slices() throws -> [RowSlice] {
    let fixture = try FixtureMachine()
    let shaker = Shaker()
    let context = try Context.open(on: fixture.machine, loop: fixture.loop, catalogue: [shaker])
    let kept = SliceKeeper()
    let sources = try ["shaker", "shaker"].map { try context.open($0) }
    for (source, interval) in zip(sources, [10_000_000, 40_000_000] as [Int64]) {
      source.add(kept)
      try source.startUpdating(every: interval)
    }
    var random = SeededGenerator(seed: 11)
    var now: Int64 = 0
    for turn in 0..<200 {
      let count = [1, 2, 10, 300][turn % 4]
      let times = (0..<count).map { _ in
        now += Int64.random(in: 1...20_000_000, using: &random)
        return now
      }
      var numbers = times.flatMap { [Double($0 % 7) * 0.000598, -9.75, Double($0) / 3] }
      if turn % 5 == 0 { numbers[numbers.count / 2] = .nan }
      var block = SampleBlock(
        times: times, origin: .kernel, columns: [0: .numbers(numbers, width: 3)],
        hasGap: turn % 7 == 0)
      let isStamped = turn % 3 == 0
      block.columns[1] = .runs(
        [0, count / 3, count / 2].map { row in
          var word = Outcome.ok(.string(["still", "moving"][(turn / 2 + row) % 2]))
          if row % 5 == 4 { word = .noData("it sleeps") }
          if isStamped { word.stamp = times[row] }
          return SampleBlock.Run(from: row, word)
        })
      if turn % 2 == 0 { block.columns[2] = .runs([.init(from: 0, .ok(.double(100)))]) }
      block.isReplayed = turn > 150
      // A wall clock that is set now and then, and slewed in between.
      if turn % 4 > 1 {
        block.realtimes = times.map { $0 + $0 / 100_000_000 + $0 / 1_000_000_000 * 3_600_000 }
      }
      shaker.deliver.withLock { $0 }?(block)
    }
    try context.close()
    return kept.slices
  }

  @Test func `rows that come in columns and runs are kept as their samples would be`() throws {
    let slices = try Self.slices()
    #expect(slices.count > 300)
    var random = SeededGenerator(seed: 3)
    for first in stride(from: 0, to: slices.count, by: 10) {
      var (whole, single) = (RowTable(properties: 3), RowTable(properties: 3))
      for slice in slices[first..<min(first + 10, slices.count)] {
        // A recorder takes long deliveries apart.
        let cut = Int.random(in: 0...slice.rowCount, using: &random)
        whole.append(slice, rows: 0..<cut)
        whole.append(slice, rows: cut..<slice.rowCount)
        for row in 0..<slice.rowCount {
          let time = slice.time(ofRow: row)
          single.append(
            time: time, offset: slice.realtime(ofRow: row) - time, slice.samples(ofRow: row))
        }
      }
      var scales = [[Numbers.Scale?]](repeating: [nil, nil, nil], count: 2)
      let body = whole.body(ofSeries: 1, scales: &scales[0])
      #expect(body == single.body(ofSeries: 1, scales: &scales[1]))
      let rows = RecordedRows(series: 1, try RowTable(body: body))
      let kept = (0..<rows.rowCount).map { rows.samples(ofRow: $0).map(\.exact) }
      let brought = slices[first..<min(first + 10, slices.count)].flatMap { slice in
        (0..<slice.rowCount).map { slice.samples(ofRow: $0).map(\.exact) }
      }
      #expect(kept == brought)
    }
  }

  @Test(arguments: [false, true])
  func `rows of either side of a step of the wall clock come with their realtimes`(
    isLive: Bool
  ) throws {
    let offsets: [Int64] = [10, 11, 11, 3_600_000_000_010, 10]
    var table = RowTable(properties: 1)
    for (row, offset) in offsets.enumerated() {
      let time = Int64(row + 1) * 1_000_000
      table.append([
        Sample(
          .double(Double(row) / 3), flags: .isNew, time: time, realtime: time + offset,
          sequence: UInt64(row + 1))
      ])
    }
    var scales: [Numbers.Scale?] = [nil]
    let rows = RecordedRows(
      series: 0, try RowTable(body: table.body(ofSeries: 0, scales: &scales)))
    let block = ReplayedBlock(
      rows, table: [Property("level", .double, .continuous)], places: [0], shift: 7_000,
      isLive: isLive)
    let cuts = block.cut(1..<5, isInOrder: true)
    #expect(cuts.count == 1)
    #expect(cuts[0].realtimes == [2_000_011, 3_000_011, 3_600_004_000_010, 5_000_010])
    #expect(cuts[0].times == [2_007_000, 3_007_000, 4_007_000, 5_007_000])
    if case .runs(let runs) = cuts[0].columns[0] {
      #expect(runs.map(\.realtime) == cuts[0].realtimes)
    }
  }

  @Test func `a body that was changed is refused or read as other rows, without a trap`() {
    let (table, _) = Self.table(seed: 7, rows: 8)
    var scales = [Numbers.Scale?](repeating: nil, count: 10)
    let body = table.body(ofSeries: 3, scales: &scales)
    var generator = SeededGenerator(seed: 2)
    for place in body.indices {
      var changed = body
      changed[place] = UInt8.random(in: 0...255, using: &generator)
      for bytes in [changed, Array(body[..<place])] {
        guard let read = try? RowTable(body: bytes) else { continue }
        let rows = RecordedRows(series: 0, read)
        for row in 0..<min(rows.rowCount, 50) { _ = rows.samples(ofRow: row) }
      }
    }
  }

  @Test func `few bytes cannot ask for much memory`() {
    // A property whose entries are all there is to say, as often as a body has room for it.
    var body = ByteWriter()
    body.put32(0)
    body.put32(65_536)
    for _ in 0..<4 { body.put64(0) }
    let properties = 400
    body.put(varint: properties)
    body.put([0, 0, 0, 0, 0, 0, 0])
    for _ in 0..<properties {
      // Packed: no bits a number, 512 groups.
      body.put(varint: 65_536)
      body.put([0, 0, 2, 1, 0])
      for _ in 0..<512 { body.put([0, 0]) }
      body.put([0, 1])
      body.put(varint: 65_536)
      body.put([0, 0, 0, 0])
    }
    #expect(throws: Malformed.self) { try RowTable(body: body.bytes) }
  }
}
