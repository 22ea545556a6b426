import GatheredKitTesting
import Gathering
import Ground
import Recording
import Testing
import Values

@testable import SourceKinds

/// What was recorded is played as it was: sources C1, C5, V14, N9.
struct ReplayTests {
  let folder: TemporaryFolder
  var path: String { folder.path + "/walk.gkr" }

  init() throws { folder = try TemporaryFolder() }

  /// Rows as a session gets them, without what counts or marks them.
  private final class Diary: UpdateTap {
    private let kept = Monitor<[String]>([])
    var hasRoom: Bool { true }
    var rows: [String] { kept.withLock { $0 } }

    func store(_ block: Block, from session: UInt32) {
      let samples = block.samples
      kept.withLock { $0.append(Self.line(samples)) }
    }

    func store(_ rows: RowSlice, from session: UInt32) {
      let lines = (0..<rows.rowCount).map { Self.line(rows.samples(ofRow: $0)) }
      kept.withLock { $0 += lines }
    }

    private static func line(_ samples: [Sample]) -> String {
      samples.map { sample in
        "\(sample.value) \(sample.status.word) \(sample.time) \(sample.realtime)"
      }.joined(separator: "; ")
    }
  }

  /// Records some sources of a simulated device for two seconds; what their sessions got.
  private func record(_ kinds: [String], allow: Allowance = .all) throws -> [String: [String]] {
    let context = try RecorderTests.simulated("phone", allow: allow)
    let recorder = try Recorder(to: path)
    var diaries: [(String, Diary)] = []
    for kind in kinds {
      let source = try context.open(kind)
      let diary = Diary()
      source.add(diary)
      try recorder.add(source)
      try source.startUpdating(every: 50_000_000)
      diaries.append((source.id.description, diary))
    }
    try context.seek(to: 2_000_000_000)
    try recorder.close()
    try context.close()
    return Dictionary(uniqueKeysWithValues: diaries.map { ($0, $1.rows) })
  }

  /// Plays everything, stepped through from the beginning; what sessions get.
  private func play(allow: Allowance = .all) throws -> [String: [String]] {
    let context = try Context.replay(try Replay(path), allow: allow, mode: .host)
    try context.setRate(0)
    var diaries: [(Source, Diary)] = []
    for description in try context.sources() {
      let source = try context.open(description.id)
      let diary = Diary()
      source.add(diary)
      try source.startUpdating()
      diaries.append((source, diary))
    }
    try context.seek(to: try #require(context.duration))
    #expect(diaries.allSatisfy { $0.0.allValues.allSatisfy { $0.flags.contains(.replayed) } })
    try context.close()
    return Dictionary(uniqueKeysWithValues: diaries.map { ($0.id.description, $1.rows) })
  }

  private static let kinds = [
    "accelerometer", "gyroscope", "device_attitude", "battery", "memory", "network", "gps",
    "switches", "storage",
  ]

  @Test func `V14: a replay has the same sources, ids, values and times, twice`() throws {
    let recorded = try record(Self.kinds)
    let played = try play()
    #expect(played.keys.sorted() == recorded.keys.sorted())
    for (id, rows) in recorded {
      // What was so when the recording began is what a session begins with.
      let missing = rows.filter { !(played[id] ?? []).contains($0) }
      #expect(missing == [], "\(id)")
      #expect((played[id]?.count ?? 0) <= rows.count + 1, "\(id)")
    }
    #expect(try play() == played)
  }

  /// Every sample to the bit, but for what says that it is replayed; and which deliveries came in
  /// columns.
  private final class ExactDiary: UpdateTap {
    private let kept = Monitor<(rows: [[String]], inColumns: Set<Int>)>(([], []))
    let hasRoom = true
    var rows: [[String]] { kept.withLock { $0.rows } }
    var inColumns: Set<Int> { kept.withLock { $0.inColumns } }

    func store(_ block: Block, from session: UInt32) {
      let samples = block.samples
      kept.withLock { $0.rows.append(Self.texts(samples)) }
    }

    func store(_ rows: RowSlice, from session: UInt32) {
      let texts = (0..<rows.rowCount).map { Self.texts(rows.samples(ofRow: $0)) }
      let isInColumns = rows.numbers(ofPropertyAt: 0) != nil
      kept.withLock { kept in
        if isInColumns { kept.inColumns.formUnion(kept.rows.count..<kept.rows.count + texts.count) }
        kept.rows += texts
      }
    }

    private static func texts(_ samples: [Sample]) -> [String] {
      samples.map { sample in
        var plain = sample
        plain.flags.remove(.replayed)
        return plain.exact
      }
    }
  }

  @Test func `V14: rows of a stream are played to the bit, in columns where they can be`() throws {
    let fixture = try FixtureMachine()
    let shaker = Shaker()
    let context = try Context.open(on: fixture.machine, loop: fixture.loop, catalogue: [shaker])
    let source = try context.open("shaker")
    let diary = ExactDiary()
    source.add(diary)
    let recorder = try Recorder(to: path)
    try recorder.add(source)
    try source.startUpdating(every: 10_000_000)
    shaker.bring(5000, from: 0)
    shaker.bring(50, from: 5000, nan: 5020)
    var late = SampleBlock(
      times: [60_000_000_000, 60_000_500_000, 60_001_000_000], origin: .hardware,
      columns: [0: .numbers([1, 2, 3, 1, 2, 3, 4, 5, 6], width: 3)], hasGap: true)
    var word = Outcome.ok(.string("asked"))
    word.stamp = 60_000_200_000
    late.columns[1] = .runs([.init(from: 0, .ok(.string("still"))), .init(from: 1, word)])
    late.columns[2] = .runs([.init(from: 0, .ok(.double(2000)))])
    shaker.deliver.withLock { $0 }?(late)
    try recorder.close()
    try context.close()

    let replay = try Context.replay(try Replay(path), mode: .host)
    try replay.setRate(0)
    let played = try replay.open("shaker")
    let copy = ExactDiary()
    played.add(copy)
    try played.startUpdating()
    try replay.seek(to: try #require(replay.duration))
    #expect(copy.rows.count == 5054)
    let differing = zip(copy.rows, diary.rows).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
    #expect(differing == [])
    // Not what was read at first, nor a row that is no number.
    #expect(Set(0..<5054).subtracting(copy.inColumns) == [0, 5021])
    try replay.close()
  }

  @Test func `P4: what was withheld from a recording is withheld for ever`() throws {
    _ = try record(["gps", "device_metadata"], allow: .none)
    let context = try Context.replay(try Replay(path), allow: .all, mode: .host)
    let metadata = try context.open("device_metadata")
    let index = try #require(metadata.properties.firstIndex { $0.category != nil })
    #expect(try metadata.updateValues()[index].status == .permission)
    try context.close()
  }

  @Test func `a replay needs a recording`() throws {
    try folder.write(Array("no recording".utf8), to: "/other.gkr")
    for name in ["/none.gkr", "/other.gkr"] {
      #expect(throws: SourceError.self) {
        _ = try Context.open(
          "replay:\(folder.path)\(name)", catalogue: [], recordings: Replay.init)
      }
    }
    _ = try record(["battery"])
    let context = try Context.open(
      "replay:\(path)", catalogue: [], recordings: Replay.init)
    #expect(context.catalogue.map(\.kind) == ["battery"])
    #expect(try context.open("battery").availability.group == .available)
    try context.close()
  }

  @Test func `what was appended after another start follows by the wall clock`() throws {
    for (boot, realtime) in [(5_000_000_000, 1_000_000_000_000), (1_000, 1_060_000_000_000)] {
      var options = RecorderOptions()
      options.existing = .append
      let clock = VirtualTime(at: Instant(boot: Int64(boot), realtime: Int64(realtime)))
      let recorder = try Recorder(to: path, options: options, clock: clock)
      let fixture = try FixtureMachine()
      let shaker = Shaker()
      let context = try Context.open(
        on: fixture.machine, loop: VirtualLoop(clock: clock), catalogue: [shaker])
      let source = try context.open("shaker")
      try recorder.add(source)
      try source.startUpdating(every: 1_000_000_000)
      try recorder.close()
      try context.close()
    }
    let replay = try Replay(path)
    #expect(replay.start.realtime == 1_000_000_000_000)
    #expect(replay.duration == 60_000_000_000)
  }
}
