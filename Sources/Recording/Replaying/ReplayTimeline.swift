import Gathering
import Ground

/// The time of a recording as one clock: parts appended after another boot follow by wall time.
struct ReplayTimeline: Sendable {
  let file: RecordingParts
  let start: Instant
  let duration: Int64
  /// The offset added to the boot times of each part, in nanoseconds.
  private let shifts: [Int64]
  /// The blocks of each series, in the order they were recorded.
  private let blocks: [UInt32: [RecordedBlock]]
  /// Where rows of a series were lost, or (nil) of an unknown series.
  private let losses: [UInt32?: [(position: RecordingPosition, reason: String)]]

  init(_ file: RecordingParts) throws(SourceError) {
    self.file = file
    let openings = file.openings.map(\.instant)
    let offset = openings.first.map { $0.realtime &- $0.boot } ?? 0
    shifts = file.openings.reduce(into: []) { shifts, opening in
      if opening.continues, let former = shifts.last { return shifts.append(former) }
      let difference = opening.instant.realtime &- opening.instant.boot &- offset
      // Less is the wall clock being kept right, within one boot.
      shifts.append(difference.magnitude < 1_000_000_000 ? 0 : difference)
    }
    let all = file.blocks
    blocks = Dictionary(grouping: all, by: \.series)
    losses = Dictionary(grouping: file.losses, by: \.loss.series).mapValues { losses in
      losses.map { (RecordingPosition($0.segment, $0.loss.bytes.lowerBound), $0.loss.reason) }
    }
    let shifts = shifts
    let shift = { (block: RecordedBlock) in Self.shift(of: block, by: shifts) }
    // The times of a damaged block move neither beginning nor end.
    let first = try Self.first(all, in: file) { $0.boot.lowerBound &+ shift($0) }
    let last = try Self.first(all, in: file) { -1 &- ($0.boot.upperBound &+ shift($0)) }
    let begin = first?.key ?? openings.first?.boot ?? 0
    let ahead = first.map { $0.block.realtime.lowerBound &- $0.block.boot.lowerBound } ?? offset
    start = Instant(boot: begin, realtime: begin &+ ahead &- (first.map { shift($0.block) } ?? 0))
    duration = max(0, (last.map { -1 &- $0.key } ?? begin) &- begin)
  }

  /// The whole block with the least key; nil of none.
  private static func first(
    _ blocks: [RecordedBlock], in file: RecordingParts, by key: (RecordedBlock) -> Int64
  ) throws(SourceError) -> (key: Int64, block: RecordedBlock)? {
    let keys = blocks.map(key)
    guard let least = keys.indices.min(by: { keys[$0] < keys[$1] }) else { return nil }
    if try file.isWhole(blocks[least]) { return (keys[least], blocks[least]) }
    for place in keys.indices.sorted(by: { keys[$0] < keys[$1] }).dropFirst()
    where try file.isWhole(blocks[place]) {
      return (keys[place], blocks[place])
    }
    return nil
  }

  func shift(of block: RecordedBlock) -> Int64 { Self.shift(of: block, by: shifts) }

  private static func shift(of block: RecordedBlock, by shifts: [Int64]) -> Int64 {
    shifts.indices.contains(block.part) ? shifts[block.part] : 0
  }

  func hasBlocks(of series: UInt32) -> Bool { blocks[series] != nil }

  func blocks(of series: UInt32) -> [RecordedBlock] { blocks[series] ?? [] }

  /// Where rows of a series were lost, or of any, as far as opening told, in the order of the file.
  func losses(of series: [UInt32]) -> [(position: RecordingPosition, reason: String)] {
    let all = (series.map(Optional.some) + [nil]).flatMap { losses[$0] ?? [] }
    return all.sorted { $0.position < $1.position }
  }

  /// The error of the event that reports losses to a session.
  func error(_ reasons: [String]) -> SourceError {
    let more = reasons.count > 1 ? "; and \(reasons.count - 1) more" : ""
    return .parse("rows of it may be lost: \(reasons.first ?? "")\(more)")
  }
}

/// A position in the files of a recording.
struct RecordingPosition: Comparable, Sendable {
  private let segment: Int
  private let offset: Int

  init(_ segment: Int, _ offset: Int) {
    self.segment = segment
    self.offset = offset
  }

  init(_ block: RecordedBlock) { self.init(block.segment, block.offset) }

  static func < (left: RecordingPosition, right: RecordingPosition) -> Bool {
    (left.segment, left.offset) < (right.segment, right.offset)
  }
}

extension RecordingParts {
  /// Whether a block can be read. Throws `io`.
  func isWhole(_ block: RecordedBlock) throws(SourceError) -> Bool {
    do throws(SourceError) {
      _ = try rows(of: block)
      return true
    } catch .parse {
      return false
    }
  }
}
