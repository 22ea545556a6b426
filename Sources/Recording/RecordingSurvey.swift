import Gathering
import Ground
import Machine
import Values

/// A complete survey of a recording's file: its whole blocks, and the replacements of damaged ones.
struct RecordingSurvey {
  /// A piece of a repaired file.
  private enum Piece {
    case whole(Range<Int>)
    case new([UInt8])
  }

  private(set) var repair = RecordingRepair()
  /// Whether nothing is damaged but the end.
  private(set) var isWhole = true
  /// Behind the last whole block, if only the end is damaged.
  let end: Int
  private let index: RecordingIndex
  private var pieces: [Piece] = []
  /// The descriptions that one whole block has and no other, to be written once more.
  private var unique: [RecordedSeries] = []
  /// Whether there are rows of a series that no whole block describes.
  private let hasStrangers: Bool
  /// The last moment that rows were found of.
  private var instant: Instant

  /// Reads everything. Throws `io`.
  init(of file: any StoredFile) throws(SourceError) {
    var index = try RecordingIndex(of: file)
    try index.scan(file)
    self.index = index
    end = index.end
    hasStrangers = index.blocks.contains { index.copies(of: $0.series) == 0 }
    instant = index.openings.first?.instant ?? Instant(boot: 0, realtime: 0)
    unique = index.series.filter { index.copies(of: $0.number) == 1 }.reversed()
    let rows = Dictionary(index.blocks.map { ($0.offset, $0) }, uniquingKeysWith: { $1 })
    let problems = Dictionary(
      index.problems.map { ($0.bytes.lowerBound, $0) }, uniquingKeysWith: { $1 })
    let gaps = Set(index.losses.map(\.bytes.lowerBound))
    var next = (offset: Format.fileHeaderSize, number: UInt32(0))
    for (place, (offset, header)) in index.places.enumerated() {
      if let hole = problems[next.offset], next.offset < offset {
        lose(hole, number: gaps.contains(next.offset) ? next.number : nil)
      }
      let range = offset..<offset + header.blockSize
      next = (range.upperBound, header.number &+ 1)
      var reason = problems[offset]?.reason
      if reason == nil {
        reason = try index.damage(of: header, at: offset, rows: rows[offset], in: file)
      }
      if let reason {
        try replace(RecordingProblem(range, reason), place, rows[offset], in: file)
        continue
      }
      pieces.append(.whole(range))
      repair.blocks += 1
      if let rows = rows[offset] {
        instant = Instant(boot: rows.boot.upperBound, realtime: rows.realtime.upperBound)
      }
    }
    let size = try file.length()
    if size > end {
      repair.lost.append(RecordingProblem(end..<size, "the last block is torn"))
    }
  }

  /// Writes a mended file.
  func write(to copy: any StoredFile, from file: any StoredFile) throws(SourceError) {
    var end = 0
    try copy.append(try file.read(0, Format.fileHeaderSize), at: &end)
    for piece in pieces {
      switch piece {
      case .whole(let range):
        try copy.append(try file.read(range.lowerBound, range.count), at: &end)
      case .new(let block): try copy.append(block, at: &end)
      }
    }
    try copy.settle()
  }

  // MARK: Damage

  /// Leaves a part out; if there is a number for an event, blocks were lost with it.
  private mutating func lose(_ problem: RecordingProblem, number: UInt32?, of series: UInt32? = nil)
  {
    isWhole = false
    repair.lost.append(problem)
    guard let number else { return }
    var event = RecordedEvent(series, RecordedEvent.What.lost, at: instant)
    event.message = "bytes \(problem.bytes): \(problem.reason)"
    append(.event, event.dictionary, number: number)
  }

  /// Replaces a damaged block by its content, if another block has it, or by an event.
  private mutating func replace(
    _ problem: RecordingProblem, _ place: Int, _ rows: RecordedBlock?, in file: any StoredFile
  ) throws(SourceError) {
    let header = index.places[place].header
    switch BlockType(rawValue: header.type) {
    case .series:
      // Rows without a description show that it was the only one of theirs.
      guard !hasStrangers, let series = unique.popLast() else { break }
      lose(problem, number: nil)
      return append(.series, series.dictionary, number: header.number)
    case .opening:
      guard let twin = try twin(ofOpeningAt: place, in: file) else { break }
      lose(problem, number: nil)
      return pieces.append(.new(BlockHeader.block(.opening, number: header.number, body: twin)))
    case .closing: return lose(problem, number: nil)
    case .rows, .event, nil: break
    }
    let named = header.series ?? rows?.series
    let series = named.flatMap { index.copies(of: $0) > 0 ? $0 : nil }
    lose(problem, number: header.number, of: series)
  }

  /// The body of the intact copy beside a damaged opening; nil if there is none.
  private func twin(ofOpeningAt place: Int, in file: any StoredFile) throws(SourceError) -> [UInt8]?
  {
    for other in [place + 1, place - 1] where index.places.indices.contains(other) {
      let (offset, header) = index.places[other]
      guard BlockType(rawValue: header.type) == .opening else { continue }
      if let body = try RecordingIndex.body(of: header, at: offset, in: file) { return body }
    }
    return nil
  }

  private mutating func append(_ type: BlockType, _ facts: ValueDictionary, number: UInt32) {
    // Nothing in these facts is more than JSON can say.
    guard let text = try? Value.dictionary(facts).json() else { return }
    pieces.append(.new(BlockHeader.block(type, number: number, body: Array(text.utf8))))
  }
}
