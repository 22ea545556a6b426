import Gathering
import GatheredKitTesting
import Machine
import Testing

@testable import Recording

/// Rows of a recording by series, property, time and place.
struct RecordingQueryTests {
  let folder: TemporaryFolder
  var path: String { folder.path + "/walk.gkr" }

  init() throws { folder = try TemporaryFolder() }

  /// Rows of three streams, `rows` a block, at random times which now and then go back.
  private func record(
    seed: UInt64, count: Int, rows: Int
  ) throws -> [(name: String, time: Int64, number: Int64)] {
    var generator = SeededGenerator(seed: seed)
    var options = RecorderOptions()
    options.existing = .overwrite
    options.blockRows = rows
    let recorder = try Recorder(to: path, options: options)
    var all: [(name: String, time: Int64, number: Int64)] = []
    var now: Int64 = 0
    for number in 0..<Int64(count) {
      now += Int64.random(in: 0...3, using: &generator)
      // The wall clock is set back.
      let isBack = Int.random(in: 0..<60, using: &generator) == 0
      if isBack { now -= Int64.random(in: 0...40, using: &generator) }
      let name = ["c", "a", "b"].randomElement(using: &generator) ?? "a"
      all.append((name, now, number))
      try recorder.append(Sample(.int(number), time: number, realtime: now), named: name)
    }
    try recorder.close()
    return all
  }

  private func answer(_ query: RecordingQuery, of parts: RecordingParts) throws -> [Int64] {
    var rows = try parts.rows(query)
    var numbers: [Int64] = []
    while let row = try rows.next() {
      guard case .int(let number) = row.sample(at: 0).value else { continue }
      numbers.append(number)
    }
    return numbers
  }

  @Test func `L15, L16: rows come by time or by series, and a page is a slice of them`() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let all = try record(seed: seed, count: 400, rows: 1 + Int(seed) * 2)
      let parts = try RecordingParts(path)
      var query = RecordingQuery()
      // Of one time, the series in the order of their names, then as recorded.
      let byTime = all.sorted { ($0.time, $0.name, $0.number) < ($1.time, $1.name, $1.number) }
      #expect(try answer(query, of: parts) == byTime.map(\.number))
      query.arrangement = .bySeries
      let bySeries = all.sorted { ($0.name, $0.time, $0.number) < ($1.name, $1.time, $1.number) }
      #expect(try answer(query, of: parts) == bySeries.map(\.number))
      for offset in [0, 1, 7, 50, 133, 399, 400, 1000] {
        for limit in [0, 1, 20, .max] {
          (query.offset, query.limit) = (offset, limit)
          let page = bySeries.dropFirst(offset).prefix(limit).map(\.number)
          #expect(try answer(query, of: parts) == page)
          query.arrangement = .byTime
          let other = byTime.dropFirst(offset).prefix(limit).map(\.number)
          #expect(try answer(query, of: parts) == other)
          query.arrangement = .bySeries
        }
      }
      query = RecordingQuery()
      query.series = ["b", "c"]
      for range in [100..<300, 0..<1, 50..<50, -10..<10_000, 200..<201] as [Range<Int64>] {
        query.range = range
        let some = byTime.filter { range.contains($0.time) && $0.name != "a" }
        #expect(try answer(query, of: parts) == some.map(\.number))
        query.offset = 30
        #expect(try answer(query, of: parts) == some.dropFirst(30).map(\.number))
        query.offset = 0
      }
    }
  }
}
