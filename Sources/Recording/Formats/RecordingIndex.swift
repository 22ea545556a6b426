import Gathering
import Machine

/// Where the blocks of a recording are: found from their headers, and the first bytes of rows.
struct RecordingIndex: Sendable {
  private(set) var openings: [RecordedOpening] = []
  private(set) var series: [RecordedSeries] = []
  private(set) var blocks: [RecordedBlock] = []
  private(set) var events: [RecordedEvent] = []
  private(set) var problems: [RecordingProblem] = []
  /// Whether the last whole block closes it.
  private(set) var isClosed = false
  /// When it was closed last, on CLOCK_BOOTTIME.
  private(set) var closing: Int64?
  /// Behind the last whole block; what follows may still be written.
  private(set) var end = Format.fileHeaderSize
  /// The number of the next block.
  private(set) var nextNumber: UInt32 = 0
  /// All whole blocks, whatever they hold.
  private(set) var places: [(offset: Int, header: BlockHeader)] = []

  /// Reads the first bytes of a file. Throws what it is, if it is no recording.
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

  /// Whether what was found is still where it was: a file may be written anew, or cut back.
  func isStill(in file: any StoredFile) throws(SourceError) -> Bool {
    guard let last = places.last else { return true }
    let first = try file.read(last.offset, Format.blockHeaderSize)
    guard let header = BlockHeader(first[...]) else { return false }
    return header.number == last.header.number && header.bodyCheck == last.header.bodyCheck
  }

  /// Goes on to the last whole block the file has by now.
  mutating func scan(_ file: any StoredFile) throws(SourceError) {
    let size = try file.length()
    while end + Format.blockHeaderSize <= size {
      let first = try file.read(end, Format.blockHeaderSize + Format.rowsHeadSize)
      if let header = BlockHeader(first[...]) {
        let next = end + Format.blockHeaderSize + header.length
        // Torn, or still being written.
        if next > size { return }
        try take(header, head: first.dropFirst(Format.blockHeaderSize), in: file)
        end = next
      } else {
        guard let found = try nextHeader(in: file, from: end + 1, size: size) else { return }
        problems.append(RecordingProblem(end..<found, RecordingProblem.noBlock))
        end = found
      }
    }
  }

  /// The place of the next header whose block is whole.
  private func nextHeader(
    in file: any StoredFile, from start: Int, size: Int
  ) throws(SourceError) -> Int? {
    var place = start
    while place + Format.blockHeaderSize <= size {
      let window = try file.read(place, 1 << 16)
      let last = window.count - Format.blockHeaderSize
      guard last >= 0 else { return nil }
      for offset in 0...last where window[offset] == Format.marker[0] {
        guard let header = BlockHeader(window[offset...]), header.number >= nextNumber,
          place + offset + Format.blockHeaderSize + header.length <= size
        else { continue }
        return place + offset
      }
      place += last + 1
    }
    return nil
  }

  private mutating func take(
    _ header: BlockHeader, head: ArraySlice<UInt8>, in file: any StoredFile
  ) throws(SourceError) {
    places.append((end, header))
    nextNumber = header.number &+ 1
    let range = end..<end + Format.blockHeaderSize + header.length
    guard let type = BlockType(rawValue: header.type) else { return }
    isClosed = type == .closing
    if type == .rows {
      guard let block = RecordedBlock(header, head: head, at: end, part: openings.count) else {
        return problems.append(RecordingProblem(range, "the times of rows are damaged"))
      }
      return blocks.append(block)
    }
    guard header.length <= Format.textLimit else {
      return problems.append(RecordingProblem(range, "a text is too long"))
    }
    let body = try file.read(end + Format.blockHeaderSize, header.length)
    guard body.count == header.length, BlockHeader.check(of: body) == header.bodyCheck,
      case .dictionary(let facts)? = try? Value(json: body), note(facts, as: type)
    else {
      return problems.append(RecordingProblem(range, "a block is damaged"))
    }
  }

  private mutating func note(_ facts: ValueDictionary, as type: BlockType) -> Bool {
    switch type {
    case .opening: openings.append(RecordedOpening(facts))
    case .series:
      guard let new = RecordedSeries(facts) else { return false }
      // It is repeated now and then, so that no damaged block hides it for good.
      if !series.contains(where: { $0.number == new.number }) { series.append(new) }
    case .event:
      // Events of later versions are nothing to this one.
      if let event = RecordedEvent(facts) { events.append(event) }
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
}

extension StoredFile {
  /// Reads bytes, or fewer at the end; errors are those of this floor.
  func read(_ offset: Int, _ count: Int) throws(SourceError) -> [UInt8] {
    do {
      return try bytes(at: offset, count: count)
    } catch {
      throw SourceError(error)
    }
  }

  func length() throws(SourceError) -> Int {
    do {
      return try size()
    } catch {
      throw SourceError(error)
    }
  }
}

extension SourceError {
  /// What the storage answered.
  init(_ error: SystemError) {
    self = .io(errno: error.code, place: error.place)
  }
}
