import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import Recording
@testable import SourceKinds

/// What rows come to in intervals.
struct RecordedIntervalTests {
  let folder: TemporaryFolder
  var path: String { folder.path + "/walk.gkr" }

  init() throws { folder = try TemporaryFolder() }

  private func intervals(
    _ length: Int64, _ change: (inout RecordingQuery) -> Void = { _ in }
  ) throws -> [RecordedInterval] {
    var query = RecordingQuery()
    change(&query)
    var reader = try RecordingParts(path).intervals(query, every: length)
    var all: [RecordedInterval] = []
    while let next = try reader.next() { all.append(next) }
    return all
  }

  private func record(_ samples: [(String, Sample)]) throws {
    var options = RecorderOptions()
    options.existing = .overwrite
    options.blockRows = 7
    let recorder = try Recorder(to: path, options: options)
    for (name, sample) in samples { try recorder.append(sample, named: name) }
    try recorder.close()
  }

  @Test func `NaN, and what is missing or stale, counts for nothing`() throws {
    let values: [(Value, ValueStatus)] = [
      (.double(4), .ok), (.double(.nan), .ok), (.none, .noData), (.double(100), .stale),
      (.int(-2), .ok), (.double(7), .ok),
    ]
    try record(
      values.enumerated().map { place, value in
        ("n", Sample(value.0, status: value.1, time: Int64(place), realtime: Int64(place)))
      } + [
        ("nan", Sample(.double(.nan), realtime: 1)),
        ("n", Sample(.none, status: .failed, time: 99, realtime: 15)),
      ])
    let all = try intervals(10).map { $0.dictionary }
    #expect(all.map { $0["rows"] } == [.int(6), .int(1), .int(1)])
    #expect(all[0]["value.min"] == .double(-2) && all[0]["value.max"] == .double(7))
    #expect(all[0]["value.mean"] == .double(3))
    #expect(
      all[1]["source"] == .string("nan") && all[1]["value"] == Value.double(.nan)
        || all[1]["value"] == Value.none)
    #expect(all[2]["value.status"] == .string("error") && all[2]["time"] == .time(10))
  }

  @Test func `vectors are told component by component`() throws {
    let vectors: [Vector] = [Vector(1, 20, .nan), Vector(3, 10, .nan), Vector(-1, .nan, .nan)]
    try record(
      vectors.enumerated().map { place, vector in
        ("v", Sample(.vector(vector), time: Int64(place), realtime: Int64(place)))
      })
    let numbers = try #require(try intervals(1000).first?.numbers(at: 0))
    #expect(numbers.minimum == .vector(Vector(-1, 10, .nan)))
    #expect(numbers.maximum == .vector(Vector(3, 20, .nan)))
    #expect(numbers.mean == .vector(Vector(1, 15, .nan)))
  }

  @Test func `intervals begin at multiples of their length, before 1970 too`() throws {
    let times: [Int64] = [.min, -11, -10, -1, 0, 9, 10, .max]
    try record(times.map { ("n", Sample(.int(1), time: 0, realtime: $0)) })
    let starts = try intervals(10).map(\.time)
    #expect(starts == [.min, -20, -10, 0, 10, .max - 7])
    #expect(try intervals(10) { $0.range = -10..<10 }.map(\.rowCount) == [2, 2])
    #expect(try intervals(.max).map(\.rowCount).reduce(0, +) == times.count)
    #expect(throws: SourceError.self) { _ = try intervals(0) }
    #expect(throws: SourceError.self) { _ = try intervals(-1) }
  }

  @Test func `intervals come to the same as their rows, one by one`() throws {
    let context = try RecorderTests.simulated("phone", allow: .all)
    var options = RecorderOptions()
    options.blockRows = 50
    let recorder = try Recorder(to: path, options: options)
    for description in try context.sources() {
      let source = try context.open(description.id)
      try recorder.add(source)
      try source.startUpdating(every: 20_000_000)
    }
    try context.seek(to: 4_000_000_000)
    try recorder.close()
    try context.close()
    let length: Int64 = 300_000_000
    var query = RecordingQuery()
    query.arrangement = .bySeries
    let parts = try RecordingParts(path)
    var rows = try parts.rows(query)
    var reader = try parts.intervals(query, every: length)
    var next = try rows.next()
    var count = 0
    while let interval = try reader.next() {
      var own: [RecordedRow] = []
      while let row = next,
        row.series === interval.series || row.series.name == interval.series.name,
        row.time - row.time % length == interval.time
      {
        own.append(row)
        next = try rows.next()
      }
      #expect(own.count == interval.rowCount && !own.isEmpty)
      for place in interval.series.columns.indices { try compare(interval, own, place) }
      count += 1
    }
    #expect(next == nil && count > 100)
  }

  /// Whether an interval says of a property what its rows come to.
  private func compare(
    _ interval: RecordedInterval, _ rows: [RecordedRow], _ place: Int
  ) throws {
    let values = rows.map { $0.sample(at: place) }.filter { $0.status == .ok }.map(\.value)
    let parts = values.compactMap { value in
      value.number.map { [$0] } ?? value.vector?.components
    }
    guard let width = parts.first?.count else {
      #expect(interval.numbers(at: place) == nil)
      #expect(interval.last(at: place) == values.last ?? Value.none)
      return
    }
    let numbers = try #require(interval.numbers(at: place))
    for component in 0..<width {
      let all = parts.map { $0[component] }
      let at = { (value: Value) in value.number ?? value.vector?[component] ?? .nan }
      #expect(at(numbers.minimum) == all.min() && at(numbers.maximum) == all.max())
      let mean = all.reduce(0, +) / Double(all.count)
      #expect(abs(at(numbers.mean) - mean) <= 1e-9 * max(1, abs(mean)))
    }
  }

  @Test func `P4: what was withheld has no numbers, and says why`() throws {
    let context = try RecorderTests.simulated("phone", allow: .none)
    let recorder = try Recorder(to: path)
    let source = try context.open("device_metadata")
    try recorder.add(source)
    try source.startUpdating()
    try context.seek(to: 1_000_000_000)
    try recorder.close()
    let index = try #require(source.properties.firstIndex { $0.category != nil })
    let key = source.properties[index].key
    try context.close()
    let interval = try #require(try intervals(3_600_000_000_000).first?.dictionary)
    #expect(interval[key] == Value.none)
    #expect(interval["\(key).status"] == .string("permission"))
  }
}
