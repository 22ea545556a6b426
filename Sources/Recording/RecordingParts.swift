public import Gathering
import Ground
public import Machine

/// A recording in one file or several, `walk.gkr`, `walk.1.gkr`, `walk.2.gkr` …, read as one.
///
/// The first files may be missing because of `keep`. Files that are missing, damaged, of another
/// recording or of a later version are reported in `problems`, and the rest stays readable. Series
/// get new numbers, since each file stands alone: those of one source with the same properties are
/// one. No content of a file can make a call trap, and rows are read block by block. Every call is
/// allowed on every thread.
public final class RecordingParts: Sendable {
  /// The path of the first file, whether or not it is still there.
  public let path: String
  private let names: SegmentNames
  private let storage: OpenParts
  private let state = Monitor(RecordingPartsState(), rank: .device)

  /// Opens the files of a recording; the name of a later one opens that one alone.
  ///
  /// Throws as `RecordingFile` does if none can be read.
  public init(_ path: String, in storage: any FileStorage = LiveStorage()) throws(SourceError) {
    self.path = path
    names = try SegmentNames(path)
    self.storage = OpenParts(in: storage)
    try refresh()
  }

  /// Finds blocks and files that were written, begun or removed since; the numbers of series stay.
  public func refresh() throws(SourceError) {
    storage.close()
    var present = (try? names.present(in: storage)) ?? []
    if present.isEmpty { present = [0] }
    let known = state.withLock { $0.files }
    var files: [RecordingPartsState.File] = []
    var failures: [(path: String, error: SourceError)] = []
    for number in present {
      let path = names.path(ofSegment: number)
      do throws(SourceError) {
        let file: RecordingFile
        if let former = known.first(where: { $0.number == number })?.file {
          try former.refresh()
          file = former
        } else {
          file = try RecordingFile(path, in: storage)
        }
        if number > 0, let own = file.openings.first?.segment, own != number {
          throw .parse("this is part \(own) of another recording")
        }
        files.append(RecordingPartsState.File(number: number, file: file))
      } catch {
        failures.append((path, error))
      }
    }
    if files.isEmpty, let error = failures.first?.error { throw error }
    let absent = zip(present, present.dropFirst()).flatMap { Array($0 + 1..<$1) }
    state.withLock { [names] state in
      state.files = files
      state.problems = failures.map { RecordingPartProblem($0.path, nil, $0.error.message) }
      state.problems += absent.prefix(1000).map {
        RecordingPartProblem(names.path(ofSegment: $0), nil, "this part is missing")
      }
      state.join()
    }
  }

  /// The files that can be read, in order.
  public var files: [RecordingFile] { state.withLock { $0.files.map(\.file) } }

  /// The openings: when and by which program it was begun and continued.
  public var openings: [RecordedOpening] { state.withLock { $0.openings } }

  /// Its series, in the order they were added.
  public var series: [RecordedSeries] { state.withLock { $0.series } }

  /// The events of its series, in the order they were recorded.
  public var events: [RecordedEvent] {
    state.withLock { $0.files }.flatMap { part in
      part.file.events.compactMap { event in
        guard let own = event.series else { return event }
        guard let number = part.numbers[own] else { return nil }
        var event = event
        event.series = number
        return event
      }
    }
  }

  /// Where rows were lost, as far as that is known without reading the remaining rows.
  var losses: [(segment: Int, loss: RecordingLoss)] {
    state.withLock { $0.files }.flatMap { part in
      part.file.losses.map { loss in
        var loss = loss
        loss.series = loss.series.flatMap { part.numbers[$0] }
        return (part.number, loss)
      }
    }
  }

  /// Whether its last file was closed, and nothing has been appended since.
  public var isClosed: Bool { files.last?.isClosed ?? false }

  /// From the earliest to the latest row on CLOCK_REALTIME; nil without rows.
  public var realtime: ClosedRange<Int64>? { files.compactMap(\.realtime).whole }

  /// From the earliest to the latest row on CLOCK_BOOTTIME, in nanoseconds; nil without rows. Times
  /// of different boots are not comparable.
  public var boot: ClosedRange<Int64>? { files.compactMap(\.boot).whole }

  /// The unreadable parts, as far as they are known: `verify` reads everything.
  public var problems: [RecordingPartProblem] {
    let (files, problems) = state.withLock { ($0.files, $0.problems) }
    let inside = files.flatMap { part in
      part.file.problems.map { RecordingPartProblem(part.file.path, $0.bytes, $0.reason) }
    }
    return problems + inside
  }

  /// How many bytes its files have, as far as they were read; those of a block that is not whole
  /// do not count.
  public var byteCount: Int { files.reduce(0) { $0 + $1.byteCount } }

  /// How many bytes follow the last whole blocks of all files.
  public func tail() throws(SourceError) -> Int {
    var count = 0
    for file in files { count += try file.tail() }
    return count
  }

  // MARK: Rows

  /// Where the rows of a series are that may fall into a time on CLOCK_BOOTTIME, or on
  /// CLOCK_REALTIME, in the order they were recorded; nil means any time, or any series.
  public func blocks(
    of series: UInt32? = nil, boot: ClosedRange<Int64>? = nil, realtime: ClosedRange<Int64>? = nil
  ) -> [RecordedBlock] {
    state.withLock { $0.files }.flatMap { part in
      part.file.blocks(of: nil, boot: boot, realtime: realtime).compactMap { block in
        guard let number = part.numbers[block.series], series ?? number == number else {
          return nil
        }
        var block = block
        block.series = number
        block.part += part.firstOpening
        block.segment = part.number
        return block
      }
    }
  }

  /// The rows of all series, block by block, in the order they were recorded.
  public var blocks: [RecordedBlock] { blocks() }

  /// Reads the rows of one block.
  ///
  /// Throws `parse` if the block is damaged, which `problems` reports from then on.
  public func rows(of block: RecordedBlock) throws(SourceError) -> RecordedRows {
    let part = state.withLock { $0.files.first { $0.number == block.segment } }
    guard let part else {
      throw .io(errno: SystemText.noEntry, place: names.path(ofSegment: block.segment))
    }
    return try part.file.rows(of: block)
  }

  /// Reads every block, so that `problems` are all there are; how many blocks of rows are whole.
  @discardableResult
  public func verify() throws(SourceError) -> Int {
    var count = 0
    for file in files { count += try file.verify() }
    return count
  }
}

/// A part of a recording that cannot be read.
public struct RecordingPartProblem: Equatable, Sendable {
  /// The file.
  public let path: String
  /// The bytes of the file; nil for all of it.
  public let bytes: Range<Int>?
  /// The problem, in one clause.
  public let reason: String

  init(_ path: String, _ bytes: Range<Int>?, _ reason: String) {
    self.path = path
    self.bytes = bytes
    self.reason = reason
  }
}

/// The files of a recording, and their combined series.
private struct RecordingPartsState: Sendable {
  struct File: Sendable {
    let number: Int
    let file: RecordingFile
    /// The numbers of its series among those of all files.
    var numbers: [UInt32: UInt32] = [:]
    /// The place of its first opening among those of all files.
    var firstOpening = 0
  }

  var files: [File] = []
  var series: [RecordedSeries] = []
  /// The places of the series of each source or stream.
  private var places: [RecordedSeries.Origin: [Int]] = [:]
  var openings: [RecordedOpening] = []
  var problems: [RecordingPartProblem] = []

  /// Combines the files anew. Series are never removed, so that numbers stay.
  mutating func join() {
    openings = []
    for place in files.indices {
      let part = files[place]
      files[place].firstOpening = openings.count
      var opened = part.file.openings
      if place > 0, files[place - 1].number == part.number - 1, let first = opened.first,
        let end = files[place - 1].file.closing
      {
        // A recorder continues in another file right after it has closed the one before.
        opened[0].continues = (0..<60_000_000_000).contains(first.instant.boot &- end)
      }
      openings += opened
      for own in part.file.series { files[place].numbers[own.number] = number(of: own) }
    }
  }

  private mutating func number(of own: RecordedSeries) -> UInt32 {
    var own = own
    let known = places[own.origin] ?? []
    if let place = known.first(where: { series[$0].isSame(as: own) }) {
      own.number = series[place].number
      series[place] = own
    } else {
      own.number = UInt32(series.count)
      places[own.origin] = known + [series.count]
      series.append(own)
    }
    return own.number
  }
}

extension [ClosedRange<Int64>] {
  /// From the first to the last of all; nil of none.
  fileprivate var whole: ClosedRange<Int64>? {
    guard let first else { return nil }
    return reduce(first) {
      Swift.min($0.lowerBound, $1.lowerBound)...Swift.max($0.upperBound, $1.upperBound)
    }
  }
}
