import DataSources
import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import Recording

/// A recording as a data source: data sources L1 to L18, L36.
struct RecordingStoreTests {
  let folder: TemporaryFolder
  var path: String { folder.path + "/walk.gkr" }

  init() throws { folder = try TemporaryFolder() }

  /// Two streams: every tenth of a second a number, every second a text or nothing.
  func record(seconds: Int64 = 6, _ change: (inout RecorderOptions) -> Void = { _ in }) throws {
    var options = RecorderOptions()
    options.blockRows = 8
    change(&options)
    let recorder = try Recorder(to: path, options: options)
    for tenth in 0..<seconds * 10 {
      let time = tenth * 100_000_000
      let number = Sample(.double(Double(tenth)), time: time, realtime: time)
      try recorder.append(number, named: "level")
      guard tenth % 10 == 5 else { continue }
      let isThere = tenth % 20 == 5
      let word = Sample(
        isThere ? .string("s\(tenth)") : .none, status: isThere ? .ok : .permission,
        time: time, realtime: time)
      try recorder.append(word, named: "a word")
    }
    try recorder.close()
  }

  func store(
    _ change: (inout RecordingStore.View) -> Void = { _ in }
  ) throws -> DataAccess<ValueDictionary> {
    var view = RecordingStore.View()
    change(&view)
    return try RecordingStore(path, view).access { $0 }
  }

  private func rows(
    _ access: DataAccess<ValueDictionary>, _ query: Query
  ) throws -> [ValueDictionary] {
    guard case .list(let rows) = try access.future(.getAll, query).wait() else { return [] }
    return rows
  }

  /// Rows in short: `a word@5:"s5"`.
  func lines(_ access: DataAccess<ValueDictionary>, _ query: Query) throws -> [String] {
    try rows(access, query).map { row in
      guard case .time(let time)? = row["time"] else { return "no time" }
      let rest = row.dropFirst(2).map { "\($0.key)=\($0.value.short)" }
      let source = row["source"]?.text?.prefix(1) ?? ""
      return "\(source)@\(time / 100_000_000) " + rest.joined(separator: " ")
    }
  }

  private func code(
    _ access: DataAccess<ValueDictionary>, _ verb: Verb, _ query: Query,
    _ content: CallPayload<ValueDictionary> = .none
  ) -> DataSourceError.Code? {
    do {
      _ = try access.future(verb, query, content).wait()
      return nil
    } catch {
      return error.code
    }
  }

  @Test
  func `L3, L15, L16, data sources L68: entries are lists, all comes by series, pages are slices`()
    throws
  {
    try record()
    let store = try store()
    let words = [
      "a@5 value=\"s5\"", "a@15 value=- value.status=\"permission\"", "a@25 value=\"s25\"",
    ]
    let all = try lines(store, .all())
    #expect(all.count == 66 && all.prefix(3) == words[...] && all[6] == "l@0 value=0.0")
    #expect(try lines(store, .id("a word")) == Array(all.prefix(6)))
    #expect(try lines(store, .key("level")) == Array(all.dropFirst(6)))
    for (offset, limit) in [(0, 3), (5, 2), (60, 100), (66, 1), (1000, 5), (3, 0), (0, Int.max)] {
      let page = try lines(store, .page(offset: offset, limit: limit))
      #expect(page == Array(all.dropFirst(offset).prefix(limit)))
    }
    #expect(code(store, .get, .id("level")) == .notFound)
    #expect(code(store, .get, .id("none")) == .notFound)
    #expect(code(store, .getAll, .id("none")) == .notFound)
    #expect(code(store, .getAll, .id("")) == .illegalArgument)
    #expect(code(store, .getAll, .page(offset: -1, limit: 1)) == .illegalArgument)
    for query in [Query.void, .ids(["level"]), .object(1)] {
      #expect(code(store, .getAll, query) == .queryNotSupported)
    }
    #expect(code(store, .get, .all()) == .queryNotSupported)
    for query in [Query.id("level"), .all(), .timeRange(0..<1), .void] {
      #expect(code(store, .put, query, .object([:])) == .notImplemented)
      #expect(code(store, .putAll, query, .list([])) == .notImplemented)
    }
  }

  @Test func `L36, data sources L68: a time range gives all series by time`() throws {
    try record()
    let store = try store()
    let range = 1_500_000_000..<1_700_000_000 as Range<Int64>
    #expect(
      try lines(store, .timeRange(range)) == [
        "a@15 value=- value.status=\"permission\"", "l@15 value=15.0", "l@16 value=16.0",
      ])
    #expect(try lines(store, .timeRange(5..<5)) == [])
    #expect(try lines(store, .timeRange(Int64.min..<Int64.max)).count == 66)
    #expect(code(store, .get, .timeRange(0..<1)) == .queryNotSupported)
  }

  @Test func `L18: rows are chosen by conditions and ordered by columns`() throws {
    try record()
    let store = try store()
    let numbers = Predicate.compare("value", .greaterOrEqual, .int(57))
    let levels = ["l@57 value=57.0", "l@58 value=58.0", "l@59 value=59.0"]
    #expect(try lines(store, .all(where: numbers)) == levels)
    #expect(
      try lines(store, .all(where: numbers, orderedBy: [Order("value", isDescending: true)]))
        == levels.reversed())
    let word = Predicate.compare("source", .equal, .string("a word"))
    #expect(try lines(store, .all(where: word)).count == 6)
    #expect(
      try lines(store, .all(where: .and([word, .isNull("value")])))
        == [15, 35, 55].map { "a@\($0) value=- value.status=\"permission\"" })
    #expect(
      try lines(store, .all(where: .compare("value.status", .notEqual, .string("ok")))).count == 3)
    #expect(try lines(store, .all(where: .isIn("value", [.string("s5"), .double(3)]))).count == 2)
    let late = Predicate.compare("time", .greater, .time(5_700_000_000))
    #expect(try lines(store, .all(where: .and([late, .not(word)]))) == Array(levels.dropFirst()))
    #expect(try lines(store, .all(where: .compare("time", .less, .time(.min)))) == [])
    #expect(
      try lines(
        store,
        .page(
          offset: 1, limit: 2, where: .not(.isNull("value")),
          orderedBy: [Order("time", isDescending: true), Order("source")])
      ) == ["l@58 value=58.0", "l@57 value=57.0"])
    #expect(
      try lines(store, .page(offset: 5, limit: 3, orderedBy: [Order("time")]))
        == ["a@5 value=\"s5\"", "l@5 value=5.0", "l@6 value=6.0"])
    for query in [
      Query.all(where: .isNull("voltage")), .all(orderedBy: [Order("level")]),
      .all(where: .isNull("rows")),
    ] {
      #expect(code(store, .getAll, query) == .illegalArgument)
    }
  }

  @Test func `intervals tell the least, the greatest and the mean of numbers, and the last text`()
    throws
  {
    try record(seconds: 5)
    let store = try store { $0.interval = 2_000_000_000 }
    #expect(
      try lines(store, .all()) == [
        "a@0 rows=2 value=\"s5\"", "a@20 rows=2 value=\"s25\"", "a@40 rows=1 value=\"s45\"",
        "l@0 rows=20 value.min=0.0 value.max=19.0 value.mean=9.5",
        "l@20 rows=20 value.min=20.0 value.max=39.0 value.mean=29.5",
        "l@40 rows=10 value.min=40.0 value.max=49.0 value.mean=44.5",
      ])
    #expect(
      try lines(store, .timeRange(3_900_000_000..<4_200_000_000)) == [
        "l@20 rows=1 value.min=39.0 value.max=39.0 value.mean=39.0",
        "l@40 rows=2 value.min=40.0 value.max=41.0 value.mean=40.5",
      ])
    #expect(
      try lines(store, .all(where: .compare("value.max", .greater, .int(40)))).map { $0.prefix(4) }
        == ["l@40"])
    let late = Predicate.compare("time", .greaterOrEqual, .time(2_000_000_000))
    #expect(
      try lines(store, .page(offset: 1, limit: 2, where: late, orderedBy: [Order("time")])).map {
        $0.prefix(4)
      } == ["l@20", "a@40"])
    #expect(code(store, .delete, .all(where: late)) == .queryNotSupported)
  }

  @Test func `data sources L68: what is not there is told by name; wrong options are refused`()
    throws
  {
    try record(seconds: 1)
    let odd = try store { $0.series = ["level", "odd", "none", "odd"] }
    let error = #expect(throws: DataSourceError.self) { _ = try lines(odd, .all()) }
    #expect(error == DataSourceError(.notFound) && error?.missing == ["odd", "none"])
    let key = try store { $0.properties = ["value", "volts"] }
    let other = #expect(throws: DataSourceError.self) { _ = try lines(key, .timeRange(0..<1)) }
    #expect(other?.missing == ["volts"])
    for interval in [0, -1, Int64.min] {
      #expect(throws: DataSourceError(.illegalArgument)) {
        _ = try store { $0.interval = interval }
      }
    }
    #expect(throws: DataSourceError(.illegalArgument)) { _ = try RecordingStore("") }
    #expect(throws: DataSourceError(.illegalArgument)) { _ = try RecordingStore("a\0b") }
    let huge = try store { $0.interval = .max }
    #expect(try lines(huge, .all()).count == 2)
    #expect(code(try store { $0.series = ["level"] }, .getAll, .id("a word")) == .notFound)
    let nowhere: DataAccess<ValueDictionary> = try RecordingStore(path + "x").access { $0 }
    #expect(code(nowhere, .delete, .all()) == nil)
    let gone = #expect(throws: DataSourceError.self) { _ = try lines(nowhere, .all()) }
    #expect(gone == DataSourceError(.failed) && gone?.errno == SystemText.noEntry)
    try folder.write(Array("text".utf8), to: "/walk.gkrx")
    #expect(code(nowhere, .getAll, .all()) == .serialization)
  }

  @Test func `L59: a cancelled query stops`() throws {
    try record(seconds: 200)
    let cancellation = Cancellation()
    cancellation.cancel()
    let heard = Monitor<DataSourceError.Code?>(nil)
    try store().perform(Call(.getAll, .all(), canceller: cancellation)) { answer in
      if case .failure(let error) = answer { heard.withLock { $0 = error.code } }
      heard.signalAll()
    }
    #expect(Patience.wait { heard.withLock { $0 } == .cancelled })
  }

  @Test func `what is recorded meanwhile is found by the next query`() throws {
    let store = try store()
    let recorder = try Recorder(to: path)
    for count in 1...3 {
      try recorder.append(Sample(.int(Int64(count)), realtime: Int64(count)), named: "n")
      try recorder.flush()
      #expect(try lines(store, .id("n")).count == count)
    }
    try recorder.close()
  }
}

extension Value {
  /// In as few words as possible.
  fileprivate var short: String {
    switch self {
    case .none: "-"
    case .string(let text): "\"\(text)\""
    case .double(let number): "\(number)"
    case .int(let number): "\(number)"
    default: "\(self)"
    }
  }
}
