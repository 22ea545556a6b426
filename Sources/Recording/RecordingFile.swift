public import Gathering
import Ground
public import Machine

/// A recording, opened for reading; it may still be written.
///
/// No content of a file can make a call trap: damaged parts are skipped and reported in `problems`.
/// Every call is allowed on every thread.
public final class RecordingFile: Sendable {
  /// The path it was opened by.
  public let path: String
  private let file: any StoredFile
  private let index: Monitor<RecordingIndex>
  /// Blocks found damaged when they were read, by where they begin.
  private let found = Monitor<[Int: RecordingLoss]>([:])

  /// Opens a recording and finds its blocks, without reading their rows.
  ///
  /// Throws `io` with the errno of open(2), `parse` for a file that is no recording, and
  /// `notSupported` for a later version of the format.
  public init(_ path: String, in storage: any FileStorage = LiveStorage()) throws(SourceError) {
    self.path = path
    do {
      file = try storage.open(path, for: .reading)
    } catch {
      throw SourceError(error)
    }
    var index = try RecordingIndex(of: file)
    try index.scan(file)
    self.index = Monitor(index, rank: .part)
  }

  /// Finds blocks written since; returns true if there are changes.
  @discardableResult
  public func refresh() throws(SourceError) -> Bool {
    let (file, found) = (file, found)
    return try index.withLock { (index) throws(SourceError) in
      let before = index.end
      let isStill = try index.isStill(in: file)
      if !isStill {
        index = try RecordingIndex(of: file)
        // Plain descriptions.
        found.withLock { $0 = [:] }
      }
      try index.scan(file)
      return !isStill || index.end != before
    }
  }

  /// The openings: when and by which program it was begun and continued.
  public var openings: [RecordedOpening] { index.withLock { $0.openings } }

  /// Its series, in the order they were added.
  public var series: [RecordedSeries] { index.withLock { $0.series } }

  /// The events of its series, in the order they were recorded.
  public var events: [RecordedEvent] { index.withLock { $0.events } }

  /// Where rows were lost, as far as that is known without reading the remaining rows.
  var losses: [RecordingLoss] { index.withLock { $0.losses } + found.withLock { Array($0.values) } }

  /// Whether it was closed, and nothing has been appended since.
  public var isClosed: Bool { index.withLock { $0.isClosed } }

  /// When it was closed last, on CLOCK_BOOTTIME in nanoseconds; nil if it is still open.
  var closing: Int64? { index.withLock { $0.isClosed ? $0.closing : nil } }

  /// From the earliest to the latest row on CLOCK_REALTIME; nil without rows.
  public var realtime: ClosedRange<Int64>? { span(\.realtime) }

  /// From the earliest to the latest row on CLOCK_BOOTTIME; nil without rows.
  public var boot: ClosedRange<Int64>? { span(\.boot) }

  private func span(_ times: (RecordedBlock) -> ClosedRange<Int64>) -> ClosedRange<Int64>? {
    let blocks = blocks
    guard let first = blocks.first.map(times) else { return nil }
    return blocks.reduce(first) { whole, block in
      let part = times(block)
      return min(whole.lowerBound, part.lowerBound)...max(whole.upperBound, part.upperBound)
    }
  }

  /// The unreadable parts, as far as they are known: `verify` reads everything.
  public var problems: [RecordingProblem] {
    let known = index.withLock { $0.problems } + found.withLock { $0.values.map(\.problem) }
    return known.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
  }

  /// The number of bytes up to the last whole block.
  public var byteCount: Int { index.withLock { $0.end } }

  /// The number of bytes after the last whole block: those of a block that is being written, or was
  /// when its writer ended.
  public func tail() throws(SourceError) -> Int {
    max(0, try file.length() - index.withLock { $0.end })
  }

  /// Where the rows of a series are that may fall into a time on CLOCK_BOOTTIME, or on
  /// CLOCK_REALTIME, in the order they were recorded; nil means any time, or any series. Blocks
  /// that were found damaged are left out.
  public func blocks(
    of series: UInt32? = nil, boot: ClosedRange<Int64>? = nil, realtime: ClosedRange<Int64>? = nil
  ) -> [RecordedBlock] {
    let damaged = found.withLock { $0 }
    return index.withLock { $0.blocks }.filter { block in
      if damaged[block.offset] != nil { return false }
      return series ?? block.series == block.series
        && (boot.map { $0.overlaps(block.boot) } ?? true)
        && (realtime.map { $0.overlaps(block.realtime) } ?? true)
    }
  }

  /// The rows of all series, block by block, in the order they were recorded.
  public var blocks: [RecordedBlock] { blocks() }

  /// Reads the rows of one block.
  ///
  /// Throws `parse` if the block is damaged, which `problems` reports from then on.
  public func rows(of block: RecordedBlock) throws(SourceError) -> RecordedRows {
    let body = try RecordingIndex.body(of: block.header, at: block.offset, in: file)
    guard let body else { throw note("the check sum of a block is wrong", in: block) }
    do throws(Malformed) {
      return RecordedRows(series: block.series, try RowTable(body: body, of: block))
    } catch {
      throw note(error.reason, in: block)
    }
  }

  private func note(_ reason: String, in block: RecordedBlock) -> SourceError {
    let problem = RecordingProblem(block.offset..<block.offset + block.byteCount, reason)
    found.withLock { $0[block.offset] = RecordingLoss(problem, series: block.ownSeries) }
    return .parse("\(path): bytes \(problem.bytes): \(reason)")
  }

  /// Reads every block, so that `problems` are all there are; how many blocks of rows are whole.
  @discardableResult
  public func verify() throws(SourceError) -> Int {
    var count = 0
    for block in blocks {
      do throws(SourceError) {
        _ = try rows(of: block)
        count += 1
      } catch .parse {
        continue
      }
    }
    return count
  }
}
