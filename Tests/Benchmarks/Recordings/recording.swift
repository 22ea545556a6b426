import Gathering
import Glibc
import Ground
import Machine
import Recording

/// An accelerometer whose rows the benchmark brings: noise of some steps about a slow swing, at
/// times with the jitter of an interrupt. It may have what stands beside in a real one's rows.
private struct Shaken: SourceKind {
  let kind = "shaken"
  let name = "Shaken"
  let properties: [Property]

  init(beside words: Int = 0) {
    let axes = Property(
      "acceleration", .vector(components: ["x", "y", "z"]), unit: "m/s2", .continuous,
      resolution: Rows.step)
    properties = [axes] + (0..<words).map { Property("word_\($0)", .string, .onChange) }
  }

  let intervals = Intervals(seconds: 1, minimum: 0.000_1)
  let deliver = Monitor<(@Sendable (SampleBlock) -> Void)?>(nil)

  func discover(on machine: Machine) -> Discovery {
    let there = Availability(.available, backend: "benchmark")
    return Discovery([Instance("s", availability: there)], orElse: Availability(.noHardware))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? { ShakenReader(deliver: deliver) }
}

private final class ShakenReader: StreamingReader {
  let streamsBelow: Int64 = 100_000_000
  let deliver: Monitor<(@Sendable (SampleBlock) -> Void)?>

  init(deliver: Monitor<(@Sendable (SampleBlock) -> Void)?>) { self.deliver = deliver }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    for index in reading.indices.dropFirst() {
      reading[index] = index % 2 == 0 ? .ok(.string("bench")) : .unsupported("there is none")
    }
  }
  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream {
    self.deliver.withLock { $0 = deliver }
    return ShakenStream()
  }
}

private struct ShakenStream: SampleStream {
  let interval: Int64 = 1_000_000
  func cancel() {}
}

/// Five minutes of rows a millisecond apart.
private struct Rows {
  static let step = 9.80665 / 2048
  static let count = 300_000
  /// What a source of axes and words says of the words itself; the others stay as they were read.
  static let words = 17
  private static let told = 3
  var times: [Int64] = []
  var numbers: [Double] = []

  init() {
    var noise: UInt64 = 1
    func next(_ limit: UInt64) -> Int {
      noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((noise >> 33) % limit)
    }
    for row in 0..<Self.count {
      times.append(Int64(row + 1) * 1_000_000 + Int64(next(4096)))
      for axis in 0..<3 {
        let swing = row / 40 % 200 + (axis == 2 ? 2048 : 0)
        numbers.append(Double(swing + next(32)) * Self.step)
      }
    }
  }

  /// All of them in deliveries of a size.
  func blocks(of size: Int, withWords: Bool = false) -> [SampleBlock] {
    stride(from: 0, to: Self.count, by: size).map { first in
      let rows = first..<min(first + size, Self.count)
      let part = Array(numbers[3 * rows.lowerBound..<3 * rows.upperBound])
      var columns: [Int: SampleBlock.Column] = [0: .numbers(part, width: 3)]
      for word in 1...Self.told where withWords {
        columns[word] = .runs([SampleBlock.Run(from: 0, .ok(.string("stream")))])
      }
      return SampleBlock(times: Array(times[rows]), origin: .kernel, columns: columns)
    }
  }
}

@main
enum Main {
  static func main() throws {
    let folder = CommandLine.arguments[1]
    let rows = Rows()
    let peer = try record(rows, in: folder)
    try replay(folder + "/words.gkr")
    row(
      "room of such a row", try size(of: folder + "/0.gkr") / Double(Rows.count), "bytes", "SQLite",
      try size(of: peer) / Double(Rows.count), "5")
  }

  /// The path of what the peer has made of the rows.
  private static func record(_ rows: Rows, in folder: String) throws -> String {
    let (long, short) = (rows.blocks(of: 1000), rows.blocks(of: 10, withWords: true))
    var best = [Double](repeating: .infinity, count: 5)
    // In turn, and the best of each: what else the computer does only ever adds.
    for round in 0..<5 {
      let file = "\(folder)/\(round)"
      let start = cpu_ns()
      let isStored = insert_rows(file + ".db", rows.times, rows.numbers, Rows.count)
      let spent = [
        isStored ? cpu_ns() - start : .infinity, try time(long, to: nil),
        try time(long, to: file + ".gkr"), try time(short, words: Rows.words, to: nil),
        try time(short, words: Rows.words, to: folder + "/words.gkr"),
      ]
      best = zip(best, spent).map { min($0, $1) }
    }
    let figures = best.map { $0 / Double(Rows.count) }
    row(
      "record a row of 3 axes and time", figures[2] - figures[1], "ns", "SQLite", figures[0],
      "<= 20 ns")
    row("  and 17 words, in blocks of 10", figures[4] - figures[3], "ns", "SQLite", figures[0], "")
    row("  gathered, not recorded", figures[3], "ns", "", 0, "<= 500 ns")
    return folder + "/0.db"
  }

  /// The processor time of gathering all blocks, and of recording them if there is a file to.
  private static func time(
    _ blocks: [SampleBlock], words: Int = 0, to path: String?
  ) throws -> Double {
    let kind = Shaken(beside: words)
    let loop = VirtualLoop(clock: VirtualTime())
    let machine = try Machine.captured(root: "/usr/share", clock: loop.clock)
    let context = try Context.open(on: machine, loop: loop, catalogue: [kind])
    let source = try context.open("shaken")
    try source.startUpdating(every: 1_000_000)
    var options = RecorderOptions()
    // Time runs faster here than it does, and what waits is bounded.
    options.memoryLimit = 1 << 30
    options.existing = .overwrite
    let recorder = try path.map { try Recorder(to: $0, options: options) }
    try recorder?.add(source)
    let deliver = kind.deliver.withLock { $0 }
    let start = cpu_ns()
    for block in blocks { deliver?(block) }
    try recorder?.close()
    return cpu_ns() - start
  }

  /// All rows of a recording, as fast as they can be played to one who reads them.
  private static func replay(_ path: String) throws {
    var best = Double.infinity
    for _ in 0..<3 {
      let context = try Context.open("replay:\(path)", catalogue: [], recordings: Replay.init)
      try context.setRate(0)
      let source = try context.open("shaken")
      let reader = try source.reader(capacity: Reader.capacityLimit)
      try source.startUpdating(every: 1_000_000)
      let start = now_ns()
      try context.setRate(.infinity)
      var rows = 0
      while rows < Rows.count { rows += try reader.nextFrame(within: nil)?.rowCount ?? 0 }
      best = min(best, now_ns() - start)
      try context.close()
    }
    row("replay to a reader", Double(Rows.count) / best * 1e9, "rows/s", "", 0, ">= 3e6")
  }

  private static func size(of path: String) throws -> Double {
    Double(try LiveStorage().open(path, for: .reading).size())
  }
}
