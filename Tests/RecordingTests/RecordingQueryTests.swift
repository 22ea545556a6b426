import DataSources
import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

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

  /// Counts the bytes that are read of files.
  private final class MeteredStorage: ForwardingStorage {
    struct Meter: ForwardingFile {
      let file: any StoredFile
      let bytes: Monitor<Int>
      func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
      ) throws(SystemError) -> Int {
        let count = try file.read(at: offset, into: buffer)
        bytes.withLock { $0 += count }
        return count
      }
    }

    let bytes = Monitor(0)
    let storage: any FileStorage = LiveStorage()

    func open(_ path: String, for use: StorageUse) throws(SystemError) -> any StoredFile {
      Meter(file: try storage.open(path, for: use), bytes: bytes)
    }
  }

  @Test func `L16, L18: blocks that have no rows of an answer are not read`() throws {
    try recordNoise()
    let size = try LiveStorage().open(path, for: .reading).size()
    let storage = MeteredStorage()
    let parts = try RecordingParts(path, in: storage)
    storage.bytes.withLock { $0 = 0 }
    let read = { (change: (inout RecordingQuery) -> Void) in
      var query = RecordingQuery()
      change(&query)
      let numbers = try answerCount(query, of: parts)
      return (
        numbers,
        storage.bytes.withLock { bytes in
          defer { bytes = 0 }
          return bytes
        }
      )
    }
    let whole = try read { _ in }
    #expect(whole.0 == 10_000 && whole.1 > size * 8 / 10)
    let page = try read {
      $0.arrangement = .bySeries
      ($0.offset, $0.limit) = (7_030, 10)
    }
    #expect(page.0 == 10 && page.1 < size / 50)
    let range = try read { $0.range = 5000..<5010 }
    #expect(range.0 == 10 && range.1 < size / 25)
    let series = try read { $0.series = ["a"] }
    #expect(series.0 == 5000 && series.1 < size * 6 / 10)
    #expect(try read { $0.limit = 5 }.1 < size / 25)
    let store: DataAccess<ValueDictionary> = try RecordingStore(path, in: storage).access { $0 }
    // The first call looks where the blocks are.
    _ = try store.future(.getAll, .page(offset: 0, limit: 0)).wait()
    storage.bytes.withLock { $0 = 0 }
    let some = Predicate.and([
      .compare("time", .greater, .time(9900)), .compare("source", .equal, .string("a")),
    ])
    guard case .list(let rows) = try store.future(.getAll, .all(where: some)).wait() else { return }
    #expect(rows.count == 49)
    #expect(storage.bytes.withLock { $0 } < size / 25)
  }

  /// Records noise of two streams, a hundred rows a block.
  private func recordNoise() throws {
    var options = RecorderOptions()
    options.blockRows = 100
    let recorder = try Recorder(to: path, options: options)
    var generator = SeededGenerator(seed: 3)
    for number in Int64(0)..<10_000 {
      let noise = Double.random(in: -1...1, using: &generator)
      let sample = Sample(.double(noise), time: number, realtime: number)
      try recorder.append(sample, named: number % 2 == 0 ? "a" : "b")
    }
    try recorder.close()
  }

  private func answerCount(_ query: RecordingQuery, of parts: RecordingParts) throws -> Int {
    var slices = try parts.slices(query)
    var count = 0
    while let slice = try slices.next() { count += slice.count }
    return count
  }

  @Test func `whatever has become of a file, a query answers rows that were recorded`() throws {
    let (path, bytes) = try RecordingFileTests.small(in: folder)
    let access: DataAccess<ValueDictionary> = try RecordingStore(path).access { $0 }
    let answer = { (query: Query) -> [ValueDictionary] in
      guard case .list(let rows) = try access.future(.getAll, query).wait() else { return [] }
      return rows
    }
    let queries = [
      Query.all(), .timeRange(0..<1000), .page(offset: 3, limit: 20),
      .all(where: .not(.isNull("value")), orderedBy: [Order("value")]),
    ]
    let whole = Set(try answer(.all()))
    var view = RecordingStore.View()
    view.interval = 40
    let intervals: DataAccess<ValueDictionary> = try RecordingStore(path, view).access { $0 }
    for place in stride(from: 0, to: bytes.count * 8, by: 3) {
      var changed = bytes
      changed[place / 8] ^= 1 << UInt8(place % 8)
      try folder.write(changed, to: "/small.gkr")
      for query in queries {
        let rows = (try? answer(query)) ?? []
        #expect(whole.isSuperset(of: rows))
      }
      _ = try? intervals.future(.getAll, .all()).wait()
    }
    for count in stride(from: 0, to: bytes.count, by: 7) {
      try folder.write(Array(bytes[..<count]), to: "/small.gkr")
      for query in queries {
        let rows = (try? answer(query)) ?? []
        #expect(whole.isSuperset(of: rows))
      }
      _ = try? access.future(.delete, .timeRange(30..<60)).wait()
      let rest = (try? answer(.timeRange(30..<60))) ?? []
      #expect(rest == [], "\(count)")
    }
  }
}
