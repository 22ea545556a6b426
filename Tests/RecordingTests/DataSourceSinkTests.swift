import AsyncDataSources
import DataSources
import GatheredKit
import GatheredKitTesting
import Gathering
import Ground
import Recording
import Testing
import Values

/// Data sources as what the patch `record` appends to.
struct DataSourceSinkTests {
  private let folder: TemporaryFolder
  private let context: Context

  init() throws {
    folder = try TemporaryFolder()
    context = try Context.open("sim:empty&clock=manual", mode: .host)
  }

  private func table(key: TableColumn) throws -> SQLiteDataSource<TableRow> {
    let columns = [
      key, TableColumn("source", .string), TableColumn("time", .time),
      TableColumn("value", .double, isNullable: true),
      TableColumn("value.status", .string, isNullable: true),
    ]
    let table = try TableDescription("log", key: key.name, columns: columns)
    return try SQLiteDataSource(path: folder.path + "/log.sqlite", table: table)
  }

  private func patch(_ store: String) throws -> Patch {
    let options: ValueDictionary = ["store": .string(store), "name": .string("level")]
    return try context.makePatch("record", options: options)
  }

  @Test func `a sample is the row that a recording of it answers`() async throws {
    let recorder = try Recorder(to: folder.path + "/walk.gkr")
    let memory = InMemoryDataSource<ValueDictionary>()
    let sink = DataSourceSink(memory)
    let samples = [
      Sample(.double(1.5), time: 5, realtime: 1_000_000_007),
      Sample(.none, status: .noData, time: 6, realtime: 1_000_000_008),
      Sample(.vector(Vector(1, 2, 3)), status: .stale, time: 7, realtime: 1_000_000_009),
    ]
    for (place, sample) in samples.enumerated() {
      try recorder.append(sample, named: "level \(place)")
      try sink.append(sample, named: "level \(place)")
    }
    try recorder.close()
    let recorded = try await RecordingDataSource(path: recorder.path).getAll(.all())
    #expect(recorded.count == 3)
    #expect(try await memory.getAll(.all()) == recorded)
  }

  @Test(arguments: [TableColumn("id", .string), TableColumn("n", .int)])
  func `a table has a row a sample, in the order they came`(key: TableColumn) async throws {
    let rows = try table(key: key)
    context.sampleSinks["disk"] = DataSourceSink(rows)
    let patch = try patch("disk")
    for number in 0..<20 as Range<Int64> { try patch.set(.int(number), for: "value") }
    // What is asked later is answered later.
    let found = try await rows.getAll(.all())
    #expect(found.map { $0["value"] } == (0..<20).map { .double(Double($0)) })
    #expect(found.allSatisfy { $0["source"] == .string("level") })
    #expect(patch.errorCount() == 0)
  }

  @Test func `two sinks of one table lose nothing to each other`() async throws {
    let clock = StillClock()
    let rows = try table(key: TableColumn("id", .string))
    for _ in 0..<2 {
      let sink = DataSourceSink(rows.access.access, clock: clock) { try TableRow($0) }
      for number in 0..<50 as Range<Int64> {
        try sink.append(Sample(.int(number)), named: "level")
      }
    }
    #expect(try await rows.getAll(.all()).count == 100)
  }

  @Test func `L30 of patches: what a store refuses is announced and counted`() async throws {
    let rows = try table(key: TableColumn("id", .string))
    context.sampleSinks["disk"] = DataSourceSink(rows)
    let patch = try patch("disk")
    let errors = CollectingSink<PatchError>()
    let connection = patch.errors.collect(into: errors)
    try patch.set(.string("text"), for: "value")
    // A vector is refused before the store is asked.
    try patch.set(.vector(Vector(1, 2, 3)), for: "value")
    try patch.set(.double(0.5), for: "value")
    #expect(try await rows.getAll(.all()).count == 1)
    #expect(patch.errorCount("value") == 2)
    while try context.dispatch(timeout: 0) > 0 {}
    #expect(errors.values.map(\.port) == ["value", "value"])
    #expect(errors.values.first?.message.contains("does not fit the column value") == true)
    #expect(errors.values.last?.message.contains("no column holds") == true)
    connection.disconnect()
  }

  @Test func `L30 of patches: so is what it refuses later, on a thread of its own`() throws {
    let store = SlowStore()
    context.sampleSinks["slow"] = DataSourceSink(store.access) { $0 }
    let patch = try patch("slow")
    let errors = CollectingSink<PatchError>()
    let connection = patch.errors.collect(into: errors)
    try patch.set(.int(1), for: "value")
    #expect(patch.errorCount() == 0)
    try WorkerThread(named: "test") {
      store.answer(.failure(DataSourceError(.failed, "the disk is full")))
    }.join()
    while try context.dispatch(timeout: 0) > 0 {}
    #expect(patch.errorCount("value") == 1)
    #expect(errors.values.map(\.message) == ["the handler of \"value\": the disk is full"])
    connection.disconnect()
  }

  @Test func `what is without an answer is bounded`() throws {
    let store = SlowStore()
    let sink = DataSourceSink(store.access) { $0 }
    let sample = Sample(.int(1))
    for _ in 0..<DataSourceSink.limit { try sink.append(sample, named: "level") }
    #expect(throws: DataSourceError(.failed, "")) { try sink.append(sample, named: "level") }
    store.answer(.success(.none))
    try sink.append(sample, named: "level")
    #expect(store.count == 1)
  }

  @Test func `a refusal that the id is not to blame for is told as it is`() throws {
    let calls = Monitor<[Bool]>([])
    let access = DataAccess<ValueDictionary> { call, reply in
      calls.withLock { $0.append(call.query.entry != nil) }
      reply(.failure(DataSourceError(call.query.entry == nil ? .notFound : .illegalArgument)))
    }
    let failures = Monitor<[DataSourceError]>([])
    let sink = DataSourceSink(access) { $0 }
    for _ in 0..<2 {
      try sink.append(Sample(.int(1)), named: "level") { error in
        if let error = error as? DataSourceError { failures.withLock { $0.append(error) } }
      }
    }
    #expect(failures.withLock { $0.map(\.code) } == [.illegalArgument, .illegalArgument])
    #expect(calls.withLock { $0 } == [true, false, true, false])
  }

  @Test func `data sources L69: a name is one sink's at a time`() {
    let sinks = context.sampleSinks
    let store = InMemoryDataSource<ValueDictionary>()
    let (first, second) = (DataSourceSink(store), DataSourceSink(store))
    #expect(sinks.claim("log", for: first))
    #expect(!sinks.claim("log", for: second))
    sinks.giveBack("log", of: second)
    #expect(sinks["log"] === first)
    sinks.giveBack("log", of: first)
    #expect(sinks.claim("log", for: second))
    #expect(sinks.names == ["log"])
  }
}

/// A store that answers when it is told to.
private final class SlowStore: Sendable {
  private let replies = Monitor<[DataAccess<ValueDictionary>.Reply]>([])

  var access: DataAccess<ValueDictionary> {
    DataAccess { [replies] _, reply in replies.withLock { $0.append(reply) } }
  }

  var count: Int { replies.withLock { $0.count } }

  func answer(_ answer: CallResult<ValueDictionary>) {
    let waiting = replies.withLock { replies in
      defer { replies = [] }
      return replies
    }
    for reply in waiting { reply(answer) }
  }
}

/// A clock that stands still.
private struct StillClock: TimeSource {
  var now: Instant { Instant(boot: 0, realtime: 1_000_000_000) }
}
