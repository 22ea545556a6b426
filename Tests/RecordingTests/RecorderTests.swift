import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import Recording
@testable import SourceKinds

/// What is recorded of sources and streams, and into which files.
struct RecorderTests {
  let folder: TemporaryFolder
  var path: String { folder.path + "/walk.gkr" }

  init() throws { folder = try TemporaryFolder() }

  static func simulated(
    _ device: String, allow: Allowance = .all
  ) throws -> Context {
    try Context.open(
      "sim:\(device)&clock=manual", allow: allow, mode: .host, catalogue: SourceCatalogue.all)
  }

  @Test(arguments: ["phone", "laptop"])
  func `C2 V14 every kind is recorded to the bit, with its own times`(device: String) throws {
    let context = try Self.simulated(device)
    let recorder = try Recorder(to: path)
    var diaries: [(Source, TapDiary)] = []
    for description in try context.sources() {
      let source = try context.open(description.id)
      let diary = TapDiary()
      source.add(diary)
      try recorder.add(source)
      try source.startUpdating(every: 50_000_000)
      diaries.append((source, diary))
    }
    for second in 1...5 { try context.seek(to: Int64(second) * 1_000_000_000) }
    try recorder.close()
    let file = try RecordingFile(path)
    try file.verify()
    #expect(file.problems == [] && file.series.count == diaries.count)
    for (source, diary) in diaries {
      let series = try #require(file.series.first { $0.origin == .source(source.id) })
      #expect(series.properties == source.properties)
      #expect(series.label == source.label && series.kindName == source.name)
      #expect(series.isAggregate == (source.id.instance == "aggregate"))
      let rows = try file.rows(of: series.number)
      #expect(rows == diary.rows && !rows.isEmpty)
    }
  }

  @Test func `I6 rows of a stream are recorded as they were delivered, gaps and absences too`()
    throws
  {
    let fixture = try FixtureMachine()
    let shaker = Shaker()
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: [shaker])
    let (source, slow) = (try context.open("shaker"), try context.open("shaker"))
    let (diary, slowDiary) = (TapDiary(), TapDiary())
    let recorder = try Recorder(to: path)
    for (source, diary) in [(source, diary), (slow, slowDiary)] {
      source.add(diary)
      try recorder.add(source)
    }
    try source.startUpdating(every: 10_000_000)
    try slow.startUpdating(every: 35_000_000)
    shaker.bring(9000, from: 0)
    try recorder.flush()
    shaker.bring(50, from: 9000, nan: 9020)
    shaker.bring(1, from: 9050)
    try source.updateValues()
    shaker.bring(3000, from: 9051)
    try recorder.close()
    let file = try RecordingFile(path)
    #expect(try file.rows(of: 0) == diary.rows)
    #expect(try file.rows(of: 1) == slowDiary.rows)
    #expect(diary.rows.count == 12_053 && slowDiary.rows.count > 3000)
    let first = try file.rows(of: try #require(file.blocks(of: 0).dropFirst(2).first))
    #expect(first.numbers(ofPropertyAt: 0)?.width == 3)
    #expect(file.blocks.allSatisfy { $0.rowCount <= 4096 })
  }

  @Test func `events of a source are recorded in their order`() throws {
    let context = try Self.simulated("phone")
    let source = try context.open("battery")
    let recorder = try Recorder(to: path)
    try recorder.add(source)
    try source.startUpdating()
    try context.seek(to: 2_000_000_000)
    try source.stopUpdating()
    while try context.dispatch(timeout: 0) > 0 {}
    try recorder.close()
    let events = try RecordingFile(path).events
    #expect(events.map(\.what) == [.started, .stopped])
    #expect(events.map(\.instant.boot) == [0, 2_000_000_000])
    #expect(events.allSatisfy { $0.series == 0 && $0.message.isEmpty })
  }

  @Test func `P4 what is withheld is nowhere in the file`() throws {
    let script = """
      0 add battery|BAT0
      0 set battery|BAT0/level 0.5
      0 set battery|BAT0/serial "SECRET42"

      """
    try folder.write(Array(script.utf8), to: "/script")
    for (allow, isThere) in [(Allowance.none, false), (.all, true)] {
      let context = try Context.open(
        "sim:file=\(folder.path)/script&clock=manual", allow: allow, mode: .host,
        catalogue: SourceCatalogue.all)
      let source = try context.open("battery|BAT0")
      var options = RecorderOptions()
      options.existing = .overwrite
      let recorder = try Recorder(to: path, options: options)
      try recorder.add(source)
      try source.startUpdating()
      try context.seek(to: 3_000_000_000)
      try recorder.close()
      let file = try LiveStorage().open(path, for: .reading)
      let bytes = try file.bytes(at: 0, count: try file.size())
      let secret = Array("SECRET42".utf8)
      let found = bytes.indices.contains { bytes[$0...].starts(with: secret) }
      #expect(found == isThere)
    }
  }

  @Test func `streams and single samples are series of their own`() throws {
    let context = try Self.simulated("empty")
    let stream = try DynamicStream.make("signal", in: context)
    let recorder = try Recorder(to: path)
    try recorder.add(stream, named: "signal")
    for number in 1...3 {
      try stream.send(.int(Int64(number)))
      try recorder.append(Sample(.string("é\(number)")), named: "texts")
    }
    try recorder.close()
    #expect(throws: SourceError.closed) { try recorder.append(Sample(.none), named: "texts") }
    #expect(throws: SourceError.closed) { try recorder.add(stream, named: "again") }
    let file = try RecordingFile(path)
    #expect(file.series.map(\.origin) == [.stream("signal"), .stream("texts")])
    #expect(try file.integers(of: "signal") == [1, 2, 3])
    #expect(file.blocks(of: 1).map(\.rowCount) == [3])
  }
}
