import Gathering
import Glibc
import Machine
import Recording

/// An accelerometer whose rows the benchmark brings: noise of some steps about a slow swing, at
/// times with the jitter of an interrupt.
private struct Shaken: SourceKind {
  let kind = "shaken"
  let name = "Shaken"
  let properties = [
    Property(
      "acceleration", .vector(components: ["x", "y", "z"]), unit: "m/s2", .continuous,
      resolution: Rows.step)
  ]
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

  func read(_ request: ReadRequest, into reading: inout Reading) {}
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

/// Five minutes of rows a millisecond apart, in deliveries of a second.
private struct Rows {
  static let step = 9.80665 / 2048
  static let size = 1000
  static let seconds = 300
  var times: [Int64] = []
  var numbers: [Double] = []

  init() {
    var noise: UInt64 = 1
    func next(_ limit: UInt64) -> Int {
      noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((noise >> 33) % limit)
    }
    for row in 0..<Self.seconds * Self.size {
      times.append(Int64(row + 1) * 1_000_000 + Int64(next(4096)))
      for axis in 0..<3 {
        let swing = row / 40 % 200 + (axis == 2 ? 2048 : 0)
        numbers.append(Double(swing + next(32)) * Self.step)
      }
    }
  }

  func block(_ second: Int) -> SampleBlock {
    let rows = second * Self.size..<(second + 1) * Self.size
    let part = Array(numbers[3 * rows.lowerBound..<3 * rows.upperBound])
    return SampleBlock(
      times: Array(times[rows]), origin: .kernel, columns: [0: .numbers(part, width: 3)])
  }
}

@main
enum Main {
  static func main() throws {
    let folder = CommandLine.arguments[1]
    let rows = Rows()
    let blocks = (0..<Rows.seconds).map(rows.block)
    var (with, without, peer) = (Double.infinity, Double.infinity, Double.infinity)
    // In turn, and the best of each: what else the computer does only ever adds.
    for round in 0..<5 {
      let file = "\(folder)/\(round)"
      without = min(without, try time(blocks, to: nil))
      with = min(with, try time(blocks, to: file + ".gkr"))
      let start = cpu_ns()
      guard insert_rows(file + ".db", rows.times, rows.numbers, rows.times.count) else { continue }
      peer = min(peer, cpu_ns() - start)
    }
    let count = Double(rows.times.count)
    row(
      "record a row of 3 axes and time", (with - without) / count, "ns", "SQLite", peer / count,
      "15")
    row(
      "room of such a row", try size(of: folder + "/0.gkr") / count, "bytes", "SQLite",
      try size(of: folder + "/0.db") / count, "5")
  }

  /// The processor time of gathering all blocks, and of recording them if there is a file to.
  private static func time(_ blocks: [SampleBlock], to path: String?) throws -> Double {
    let kind = Shaken()
    let loop = VirtualLoop(clock: VirtualClock())
    let machine = try Machine.captured(root: "/usr/share", clock: loop.clock)
    let context = try Context.open(on: machine, loop: loop, catalogue: [kind])
    let source = try context.open("shaken")
    try source.startUpdating(every: 1_000_000)
    let recorder = try path.map { try Recorder(to: $0) }
    try recorder?.add(source)
    let deliver = kind.deliver.withLock { $0 }
    let start = cpu_ns()
    for block in blocks { deliver?(block) }
    try recorder?.close()
    return cpu_ns() - start
  }

  private static func size(of path: String) throws -> Double {
    Double(try LiveStorage().open(path, for: .reading).size())
  }
}
