import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import Recording
@testable import SourceKinds

/// What is played twice does the same twice: Decisions/0013-The-clock-of-a-replay.md.
struct PlayedTwiceTests {
  let folder: TemporaryFolder
  var path: String { folder.path + "/walk.gkr" }

  init() throws { folder = try TemporaryFolder() }

  private static let script = """
    0 add memory|machine
    0 set memory|machine/free 1000
    0 wave memory|machine/free sine 500 0.3
    0 add accelerometer|imu
    0 set accelerometer|imu/acceleration 0,0,9.81
    0 wave accelerometer|imu/acceleration noise 1 2
    0 add battery|b
    0 set battery|b/level 0.5
    0 wave battery|b/level ramp 0.2 0.05
    10 absent battery|b/level noData asleep
    15 set battery|b/level 0.4
    20 remove battery|b
    25 add battery|b
    26 set battery|b/level 0.3
    30 error memory|machine/free 5
    35 clear memory|machine/free
    40 fault accelerometer|imu 5
    41 clear accelerometer|imu

    """

  /// Records a minute of it, by several recorders at once; `act` is called at each second.
  private func record(
    _ recorders: [Recorder], act: (Int64) throws -> Void = { _ in }
  ) throws {
    try folder.write(Array(Self.script.utf8), to: "/script")
    let context = try Context.open(
      "sim:file=\(folder.path)/script&clock=manual", allow: .all, mode: .host,
      catalogue: SourceCatalogue.all)
    let sources = try ["memory|machine", "accelerometer|imu", "battery|b"].map {
      try context.open($0)
    }
    let intervals: [Int64] = [250_000_000, 40_000_000, 1_000_000_000]
    for source in sources {
      for recorder in recorders { try recorder.add(source) }
    }
    for second in Int64(0)...60 {
      try context.seek(to: second * 1_000_000_000)
      // What was removed, or failed for a while, is begun again as soon as that is possible.
      for (source, interval) in zip(sources, intervals) where !source.isUpdating {
        try? source.startUpdating(every: interval)
      }
      try act(second)
    }
    for recorder in recorders { try recorder.close() }
    try context.close()
  }

  // MARK: Playing

  private enum Way {
    case asFastAsItCan
    case stepped
    case withPauses
  }

  /// Everything a graph of streams tells, in order: properties, filters, windows, a timer, and what
  /// they come to together.
  private func play(_ path: String, _ way: Way) throws -> [String] {
    let context = try Context.open(
      "replay:\(path)", allow: .all, mode: .host, catalogue: [], recordings: Replay.init)
    try context.setRate(0)
    let told = Monitor<[String]>([])
    var connections: [DynamicConnection] = []
    var sources: [Source] = []
    var streams: [(String, DynamicStream)] = []
    for (id, key) in [
      ("memory|machine", "free"), ("accelerometer|imu", "acceleration"), ("battery|b", "level"),
    ] {
      let source = try context.open(id)
      sources.append(source)
      streams.append((key, try DynamicStream.property(key, of: source)))
    }
    streams += try operators(of: streams.map(\.1), in: context)
    for (name, stream) in streams {
      connections.append(
        try stream.subscribe(
          DynamicStream.Subscriber { sample in
            told.withLock { $0.append("\(name) \(sample.exact)") }
          }))
    }
    for source in sources { try source.startUpdating() }
    let duration = try #require(context.duration)
    switch way {
    case .stepped: try context.seek(to: duration)
    case .asFastAsItCan: try run(context, to: duration)
    case .withPauses:
      // Stands still now and then, and is stepped on from there.
      for part in 1...7 as ClosedRange<Int64> {
        try context.seek(to: duration / 11 * part)
        try context.flush(timeout: Patience.limit)
      }
      try run(context, to: duration)
    }
    for connection in connections { connection.end() }
    try context.close()
    return told.withLock { $0 }
  }

  /// What is made of properties: filters, windows, a timer, and two of them together.
  private func operators(
    of streams: [DynamicStream], in context: Context
  ) throws -> [(String, DynamicStream)] {
    let (free, level) = (streams[0], streams[2])
    let average = try free.apply("moving_average", ["duration_ns": .int(3_000_000_000)])
    let timer = try DynamicStream.make("timer", ["interval_ns": .int(700_000_000)], in: context)
    return [
      ("average", average), ("timer", timer),
      ("smooth", try free.apply("low_pass", ["time_constant_ns": .int(2_000_000_000)])),
      ("sampled", try streams[1].apply("sample", ["duration_ns": .int(400_000_000)])),
      ("batch", try level.apply("batch", ["duration_ns": .int(5_000_000_000)])),
      ("quiet", try free.apply("debounce", ["duration_ns": .int(300_000_000)])),
      ("both", try DynamicStream.combine([average, level], "combine")),
    ]
  }

  private func run(_ context: Context, to duration: Int64) throws {
    try context.setRate(.infinity)
    while context.position.map({ $0 < duration }) ?? false {
      // Every move of the clock brings something, or is the last.
      _ = try context.dispatch(timeout: 100_000_000)
    }
    try context.flush(timeout: Patience.limit)
  }

  // MARK: Tests

  @Test func `a recording that was cut off and mended plays the same each time`() throws {
    let storage = FaultyStorage()
    var options = RecorderOptions()
    options.blockRows = 32
    options.memoryLimit = 8 << 10
    let recorder = try Recorder(to: path, options: options, in: storage)
    try record([recorder]) { second in
      // The disk hangs for a while: rows are lost.
      if second == 44 { storage.stall(true) }
      if second == 50 { storage.stall(false) }
      if second != 44, second < 45 || second > 50 { try recorder.flush() }
    }
    #expect(recorder.statistics.lost > 0)
    let file = try LiveStorage().open(path, for: .reading)
    let bytes = try file.bytes(at: 0, count: try file.size())
    try folder.write(Array(bytes.dropLast(bytes.count / 50 + 7)), to: "/cut.gkr")
    let cut = folder.path + "/cut.gkr"
    #expect(try RecordingRepair.repair(cut).lost.count <= 1)
    let once = try play(cut, .asFastAsItCan)
    #expect(once.count > 500)
    for name in ["average", "timer", "smooth", "sampled", "batch", "quiet", "both", "level"] {
      #expect(once.contains { $0.hasPrefix(name) }, "\(name)")
    }
    let parts = try RecordingParts(cut)
    var rows = try parts.rows(RecordingQuery())
    var flags = SampleFlags()
    var statuses: Set<UInt32> = []
    while let row = try rows.next() {
      for sample in row.rows.samples(ofRow: row.row) {
        flags.formUnion(sample.flags)
        statuses.insert(sample.status.rawValue)
      }
    }
    #expect(flags.contains(.gap) && statuses.isSuperset(of: [0, 1, 5]))
    for way in [Way.asFastAsItCan, .stepped, .withPauses] {
      let again = try play(cut, way)
      #expect(Self.difference(once, again) == nil, "\(way)")
    }
  }

  @Test func `several files play as one`() throws {
    var options = RecorderOptions()
    options.blockRows = 256
    let whole = try Recorder(to: path, options: options)
    options.rotateBytes = 6000
    options.blockRows = 64
    let split = try Recorder(to: folder.path + "/split.gkr", options: options)
    try record([whole, split]) { _ in
      for recorder in [whole, split] { try recorder.flush() }
    }
    let parts = try RecordingParts(folder.path + "/split.gkr")
    #expect(parts.files.count > 5 && parts.problems == [])
    #expect(try RecordingParts(path).files.count == 1)
    let once = try play(path, .asFastAsItCan)
    let again = try play(folder.path + "/split.gkr", .asFastAsItCan)
    #expect(Self.difference(once, again) == nil && once.count > 2000)
  }

  /// Where two lists begin to differ.
  private static func difference(_ left: [String], _ right: [String]) -> String? {
    for place in 0..<max(left.count, right.count) {
      let one = left.indices.contains(place) ? left[place] : "nothing"
      let other = right.indices.contains(place) ? right[place] : "nothing"
      if one != other { return "\(place): \(one) and \(other)" }
    }
    return nil
  }
}
