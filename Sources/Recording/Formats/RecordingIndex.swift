import Gathering
import Machine
import Values

/// Where the blocks of a recording are: found from their headers, and the first bytes of rows.
struct RecordingIndex: Sendable {
  private(set) var openings: [RecordedOpening] = []
  private(set) var series: [RecordedSeries] = []
  private(set) var blocks: [RecordedBlock] = []
  private(set) var events: [RecordedEvent] = []
  private(set) var problems: [RecordingProblem] = []
  /// Where rows were lost, as far as blocks and events show it.
  private var told: [RecordingLoss] = []
  /// Whether the last whole block closes it.
  private(set) var isClosed = false
  /// When it was closed last, on CLOCK_BOOTTIME.
  private(set) var closing: Int64?
  /// The end of the last whole block; later bytes may still be written.
  private(set) var end = Format.fileHeaderSize
  /// The number of the next block.
  private(set) var nextNumber: UInt32 = 0
  /// All whole blocks of any type.
  private(set) var places: [(offset: Int, header: BlockHeader)] = []
  /// How many blocks describe each series.
  private var described: [UInt32: Int] = [:]

  /// Where rows were lost, as far as that is known without reading the remaining rows.
  var losses: [RecordingLoss] {
    let strangers = blocks.filter { described[$0.series] == nil }.map { block in
      RecordingLoss(
        RecordingProblem(
          block.offset..<block.offset + block.byteCount, "rows of a series that is not described"))
    }
    return told + strangers
  }

  /// How many blocks describe a series.
  func copies(of series: UInt32) -> Int { described[series] ?? 0 }

  /// Reads the first bytes of a file. Throws an error that describes a file that is no recording.
  init(of file: any StoredFile) throws(SourceError) {
    let header = try file.read(0, Format.fileHeaderSize)
    guard header.starts(with: Format.magic), header.count == Format.fileHeaderSize else {
      throw .parse("\(file.path): this is no recording")
    }
    let major = UInt16(header[8]) | UInt16(header[9]) << 8
    guard major <= Format.major, major > 0 else {
      throw .notSupported(
        "\(file.path): version \(major) of the format is newer than this library, which reads "
          + "version \(Format.major)")
    }
  }

  /// Whether the blocks found are still at their places: a file may be rewritten or truncated.
  func isStill(in file: any StoredFile) throws(SourceError) -> Bool {
    guard let last = places.last else { return true }
    let first = try file.read(last.offset, Format.blockHeaderSize)
    guard let header = BlockHeader(first[...]) else { return false }
    return header.number == last.header.number && header.bodyCheck == last.header.bodyCheck
  }

  /// Continues to the last whole block that the file has now.
  mutating func scan(_ file: any StoredFile) throws(SourceError) {
    let size = try file.length()
    while end + Format.blockHeaderSize <= size {
      let first = try file.read(end, Format.blockHeaderSize + Format.rowsHeadSize)
      let found: (offset: Int, header: BlockHeader)?
      if let header = BlockHeader(first[...]) {
        found = try headerWithin(header, in: file, size: size)
        if found == nil {
          let next = end + header.blockSize
          // Torn, or still being written.
          if next > size { return }
          try take(header, head: first.dropFirst(Format.blockHeaderSize), in: file)
          end = next
          continue
        }
      } else {
        found = try nextHeader(in: file, from: end + 1, to: size, size: size)
      }
      guard let found else { return }
      note(RecordingProblem(end..<found.offset, RecordingProblem.noBlock), before: found.header)
      end = found.offset
    }
  }

  /// The first block that begins before the end of this one, by its header: bytes of this one are
  /// missing.
  ///
  /// This is searched only if no block follows and its checksum is wrong too.
  private func headerWithin(
    _ header: BlockHeader, in file: any StoredFile, size: Int
  ) throws(SourceError) -> (offset: Int, header: BlockHeader)? {
    let next = end + header.blockSize
    if next <= size {
      let following = try file.read(next, Format.blockHeaderSize)
      if BlockHeader(following[...]) != nil { return nil }
      if try Self.body(of: header, at: end, in: file) != nil { return nil }
    }
    return try nextHeader(in: file, from: end + 1, to: min(next, size), size: size)
  }

  /// The next header of a whole block that begins in a part of the file.
  private func nextHeader(
    in file: any StoredFile, from start: Int, to limit: Int, size: Int
  ) throws(SourceError) -> (offset: Int, header: BlockHeader)? {
    var place = start
    while place < limit, place + Format.blockHeaderSize <= size {
      let window = try file.read(place, 1 << 16)
      let last = min(window.count - Format.blockHeaderSize, limit - place - 1)
      guard last >= 0 else { return nil }
      for offset in 0...last where window[offset] == Format.marker[0] {
        guard let header = BlockHeader(window[offset...]), header.number >= nextNumber,
          place + offset + header.blockSize <= size
        else { continue }
        return (place + offset, header)
      }
      place += last + 1
    }
    return nil
  }

  /// Notes a part without blocks; blocks were lost with it where their numbers are missing.
  private mutating func note(_ hole: RecordingProblem, before header: BlockHeader) {
    problems.append(hole)
    if header.number > nextNumber { told.append(RecordingLoss(hole)) }
  }

  private mutating func take(
    _ header: BlockHeader, head: ArraySlice<UInt8>, in file: any StoredFile
  ) throws(SourceError) {
    places.append((end, header))
    nextNumber = header.number &+ 1
    let range = end..<end + header.blockSize
    guard let type = BlockType(rawValue: header.type) else { return }
    isClosed = type == .closing
    if type == .rows {
      let block = RecordedBlock(header, head: head, at: end, part: openings.count)
      guard let block, header.series ?? block.series == block.series else {
        let problem = RecordingProblem(range, "the first bytes of rows are damaged")
        told.append(RecordingLoss(problem, series: header.series))
        return problems.append(problem)
      }
      return blocks.append(block)
    }
    guard header.length <= Format.textLimit else {
      return problems.append(RecordingProblem(range, "a text is too long"))
    }
    let body = try file.read(end + Format.blockHeaderSize, header.length)
    guard body.count == header.length, BlockHeader.check(of: body) == header.bodyCheck,
      case .dictionary(let facts)? = try? Value(json: body), note(facts, as: type, at: range)
    else {
      return problems.append(RecordingProblem(range, "a block is damaged"))
    }
  }

  private mutating func note(
    _ facts: ValueDictionary, as type: BlockType, at range: Range<Int>
  ) -> Bool {
    switch type {
    case .opening:
      // It is written twice, so that no damaged block hides it.
      let new = RecordedOpening(facts)
      if openings.last != new { openings.append(new) }
    case .series:
      guard let new = RecordedSeries(facts) else { return false }
      // It is repeated, so that no damaged block hides it.
      if described[new.number] == nil { series.append(new) }
      described[new.number, default: 0] += 1
    case .event:
      // Events of later versions are nothing to this one.
      guard let event = RecordedEvent(facts) else { return true }
      events.append(event)
      if event.what == .lost { told.append(RecordingLoss(event, at: range)) }
    case .closing: closing = facts["boot"]?.whole
    case .rows: break
    }
    return true
  }

  /// The body of a block; nil where the check sum does not fit it.
  static func body(
    of header: BlockHeader, at offset: Int, in file: any StoredFile
  ) throws(SourceError) -> [UInt8]? {
    let body = try file.read(offset + Format.blockHeaderSize, header.length)
    let isWhole = body.count == header.length && BlockHeader.check(of: body) == header.bodyCheck
    return isWhole ? body : nil
  }

  /// Why a block that was read completely is damaged; nil if it is not.
  func damage(
    of header: BlockHeader, at offset: Int, rows: RecordedBlock?, in file: any StoredFile
  ) throws(SourceError) -> String? {
    guard let body = try Self.body(of: header, at: offset, in: file) else {
      return "the check sum of a block is wrong"
    }
    guard let rows else { return nil }
    do throws(Malformed) {
      _ = try RowTable(body: body, of: rows)
      return nil
    } catch {
      return error.reason
    }
  }
}
