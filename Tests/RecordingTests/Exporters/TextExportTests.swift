import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import Recording

/// What was recorded as text for other programs.
struct TextExportTests {
  typealias Made = HandMadeRecording
  let folder: TemporaryFolder
  var target: String { folder.path + "/out" }

  init() throws { folder = try TemporaryFolder() }

  /// A source of three rows, a stream beside it, and two events.
  private func recording() throws -> RecordingParts {
    var made = try Made(in: folder)
    let properties = [
      Property("pull", .vector(components: ["x", "y"]), unit: "m/s2", .continuous),
      Property("mode", .string, .onChange), Property("ratio", .double, .continuous),
    ]
    made.add(try Made.source(0, "shaker|s", properties))
    var started = RecordedEvent(
      0, RecordedEvent.What.started, at: Instant(boot: 0, realtime: 1_700_000_000_000_000_000))
    made.add(started)
    made.add(RecordedSeries(1, .stream("ticks")))
    made.add([Made.row(2, [.int(7)])], of: 1)
    made.add(
      [
        Made.row(1, [.vector(Vector(1, -0.5)), .string("a,\"b\"\r\n"), .double(.nan)]),
        Made.row(3, [nil, .string(""), .double(2)]),
      ], of: 0)
    started.what = .stopped
    started.instant.realtime += 9_000_000_000
    started.message = "gone"
    made.add(started)
    return try made.finished(in: folder)
  }

  private func text(
    _ names: [String], _ format: TextFormat, of file: RecordingParts
  ) throws -> String {
    let tables = try names.map { try RecordedTable($0, of: file) }
    #expect(try TextExport.write(tables, as: format, to: target, replacing: true))
    return try Self.content(of: target)
  }

  static func content(of path: String) throws -> String {
    let bytes = try LiveStorage().open(path, for: .reading).bytes(at: 0, count: 1 << 22)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `a wide table has a column a property and a component`() throws {
    let text = try text(["shaker"], .csv(.wide), of: try recording())
    #expect(
      text == """
        time,pull.x,pull.y,mode,ratio\r
        2023-11-14T22:13:21Z,1,-0.5,"a,""b""\r
        ",nan\r
        2023-11-14T22:13:23Z,,,"",2\r\n
        """)
  }

  @Test func `a long table has a line a value, of several sources by their time`() throws {
    let text = try text(["shaker", "ticks"], .csv(.long), of: try recording())
    #expect(
      text == """
        time,source,property,value,status\r
        2023-11-14T22:13:21Z,shaker|s,pull.x,1,ok\r
        2023-11-14T22:13:21Z,shaker|s,pull.y,-0.5,ok\r
        2023-11-14T22:13:21Z,shaker|s,mode,"a,""b""\r
        ",ok\r
        2023-11-14T22:13:21Z,shaker|s,ratio,nan,ok\r
        2023-11-14T22:13:22Z,ticks,value,7,ok\r
        2023-11-14T22:13:23Z,shaker|s,pull.x,,noData\r
        2023-11-14T22:13:23Z,shaker|s,pull.y,,noData\r
        2023-11-14T22:13:23Z,shaker|s,mode,"",ok\r
        2023-11-14T22:13:23Z,shaker|s,ratio,2,ok\r\n
        """)
  }

  @Test func `JSON lines tell values, reasons and events`() throws {
    let text = try text(["shaker", "ticks"], .jsonLines, of: try recording())
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let shaken =
      #""pull":{"value":{"vector":[1.0,-0.5]},"unit":"m/s2","status":"ok"},"#
      + #""mode":{"value":"a,\"b\"\r\n","unit":null,"status":"ok"},"#
      + #""ratio":{"value":null,"unit":null,"status":"ok"}"#
    let rest =
      #""pull":{"value":null,"unit":"m/s2","status":"noData","reason":"none","remedy":"wait"},"#
      + #""mode":{"value":"","unit":null,"status":"ok"},"#
      + #""ratio":{"value":2.0,"unit":null,"status":"ok"}"#
    #expect(
      lines == [
        #"{"id":"shaker|s","time_ns":1700000000000000000,"event":"started"}"#,
        #"{"id":"shaker|s","time_ns":1700000001000000000,"values":{\#(shaken)}}"#,
        #"{"id":"ticks","time_ns":1700000002000000000,"#
          + #""values":{"value":{"value":7,"unit":null,"status":"ok"}}}"#,
        #"{"id":"shaker|s","time_ns":1700000003000000000,"values":{\#(rest)}}"#,
        #"{"id":"shaker|s","time_ns":1700000009000000000,"event":"stopped","reason":"gone"}"#, "",
      ])
  }

  @Test func `one that is given up leaves nothing behind`() throws {
    let table = try RecordedTable("shaker", of: try recording())
    var told: [TextExport.Progress] = []
    let isWhole = try TextExport.write([table], as: .jsonLines, to: target) { progress in
      told.append(progress)
      return false
    }
    #expect(!isWhole && told == [TextExport.Progress(rows: 2, allRows: 2)])
    #expect(try LiveStorage().names(in: folder.path).sorted() == ["hand.gkr"])
  }

  @Test func `whichever call fails, the file is there whole or not at all`() throws {
    let file = try recording()
    let whole = try text(["shaker"], .jsonLines, of: file)
    try LiveStorage().remove(target)
    let table = try RecordedTable("shaker", of: file)
    var failures = 0
    for number in 0..<20 {
      let storage = FaultyStorage()
      storage.fail(atChange: number, with: .noSpace)
      var failure: SourceError?
      do throws(SourceError) {
        try TextExport.write([table], as: .jsonLines, to: target, in: storage)
      } catch {
        failure = error
      }
      guard let failure else {
        #expect(try Self.content(of: target) == whole)
        break
      }
      failures += 1
      #expect(failure.errno == .noSpace)
      #expect(try LiveStorage().names(in: folder.path).sorted() == ["hand.gkr"])
    }
    // Opening, writing, syncing, naming.
    #expect(failures == 4)
  }

  @Test func `what is there is replaced only if asked for, and one table is one`() throws {
    let file = try recording()
    let tables = try RecordedTable.all(of: file)
    try folder.write([1], to: "/out")
    #expect(throws: SourceError.io(errno: .exists, place: target)) {
      try TextExport.write(tables, as: .jsonLines, to: target)
    }
    #expect(try LiveStorage().open(target, for: .reading).size() == 1)
    // What a killed process left is replaced.
    try folder.write(Array(repeating: 65, count: 100_000), to: "/out.part")
    #expect(
      try text(["ticks"], .csv(.wide), of: file).hasSuffix("value\r\n2023-11-14T22:13:22Z,7\r\n"))
    #expect(throws: SourceError.self) {
      try TextExport.write(tables, as: .csv(.wide), to: target, replacing: true)
    }
  }
}
