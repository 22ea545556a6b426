import GatheredKitTesting
import Gathering
import Ground
import Machine
import Recording
import Values

/// A kind with one instance whose stream the test brings about.
struct Shaker: SourceKind {
  let kind = "shaker"
  let name = "Shaker"
  let properties = [
    Property(
      "acceleration", .vector(components: ["x", "y", "z"]), unit: "m/s2", .continuous,
      resolution: 0.000598),
    Property("mode", .string, .onChange),
    Property("rate", .double, unit: "Hz", .onChange),
  ]
  let intervals = Intervals(seconds: 1, minimum: 0.001)
  let deliver = Monitor<(@Sendable (SampleBlock) -> Void)?>(nil)

  func discover(on machine: Machine) -> Discovery {
    let there = Availability(.available, backend: "test")
    return Discovery([Instance("s", availability: there)], orElse: Availability(.noHardware))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? { ShakerReader(deliver: deliver) }

  /// Brings rows 10 ms apart, numbered from `first`; with words that change now and then.
  func bring(_ count: Int, from first: Int, nan: Int? = nil) {
    let numbers = (first..<first + count).flatMap { row -> [Double] in
      [Double(row % 200) * 0.000598, row == nan ? .nan : -9.75, Double(row) / 3]
    }
    var block = SampleBlock(
      times: (first..<first + count).map { Int64($0 + 1) * 10_000_000 }, origin: .kernel,
      columns: [0: .numbers(numbers, width: 3)])
    block.columns[1] = .runs([
      SampleBlock.Run(from: 0, .ok(.string("still"))),
      SampleBlock.Run(from: count / 2, .ok(.string("moving"))),
    ])
    deliver.withLock { $0 }?(block)
  }
}

private final class ShakerReader: StreamingReader {
  let streamsBelow: Int64 = 100_000_000
  let deliver: Monitor<(@Sendable (SampleBlock) -> Void)?>

  init(deliver: Monitor<(@Sendable (SampleBlock) -> Void)?>) { self.deliver = deliver }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    reading[0] = .ok(.vector(Vector(0, 0, 0.000598)))
    reading[1] = .ok(.string("polled"))
    reading[2] = .noData("no rate")
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }

  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream {
    self.deliver.withLock { $0 = deliver }
    return ShakerStream()
  }
}

private struct ShakerStream: SampleStream {
  let interval: Int64 = 10_000_000
  func cancel() {}
}

/// Keeps every sample a tap gets, row by row.
final class TapDiary: UpdateTap {
  private let kept = Monitor<[String]>([])

  var hasRoom: Bool { true }
  var rows: [String] { kept.withLock { $0 } }

  func store(_ block: Block, from session: UInt32) {
    let samples = block.samples
    kept.withLock { $0.append("\(samples.map(\.exact))") }
  }

  func store(_ rows: RowSlice, from session: UInt32) {
    let lines = (0..<rows.rowCount).map { "\(rows.samples(ofRow: $0).map(\.exact))" }
    kept.withLock { $0 += lines }
  }
}

/// Keeps the rows that sessions get.
final class SliceKeeper: UpdateTap {
  private let kept = Monitor<[RowSlice]>([])
  let hasRoom = true
  var slices: [RowSlice] { kept.withLock { $0 } }

  func store(_ block: Block, from session: UInt32) {}
  func store(_ rows: RowSlice, from session: UInt32) { kept.withLock { $0.append(rows) } }
}

extension RecordingFile {
  /// Every row of a series as `TapDiary` writes it.
  func rows(of series: UInt32) throws -> [String] {
    try blocks(of: series).flatMap { block -> [String] in
      let rows = try rows(of: block)
      return (0..<rows.rowCount).map { "\(rows.samples(ofRow: $0).map(\.exact))" }
    }
  }

  /// The integers of a stream, in order.
  func integers(of name: String) throws -> [Int64] {
    let numbers = series.filter { $0.name == name }.map(\.number)
    return try blocks.filter { numbers.contains($0.series) }.flatMap { block -> [Int64] in
      let rows = try rows(of: block)
      return (0..<rows.rowCount).compactMap { row in
        if case .int(let number) = rows.sample(row: row, property: 0).value { number } else { nil }
      }
    }
  }
}
