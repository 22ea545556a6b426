import Gathering
import Machine
import Values

/// One file of a spool, as it is read to be sent.
struct SpoolReader: Sendable {
  private struct Entry: Sendable {
    let offset: Int
    let header: BlockHeader
    let series: UInt32
    let number: UInt32
    let rowCount: Int
    let events: [[UInt8]]
  }

  /// The session that wrote it, and the device it is of.
  private(set) var session = ""
  private(set) var device = ""
  /// Why it cannot be read to its end, and how many rows are known to be behind that.
  private(set) var damage: String?
  private(set) var rowsBehind = 0
  private var entries: [Entry] = []
  private var series: [UInt32: RecordedSeries] = [:]
  private let file: any StoredFile

  /// Finds the messages of a file. Throws where it is no recording, or cannot be read.
  init(_ file: any StoredFile) throws(SourceError) {
    self.file = file
    var index = try RecordingIndex(of: file)
    try index.scan(file)
    var place = Place()
    var rows = index.blocks[...]
    let end = index.problems.first?.bytes.lowerBound ?? .max
    damage = index.problems.first?.reason
    for (offset, header) in index.places {
      let block = rows.first?.offset == offset ? rows.popFirst() : nil
      if offset >= end {
        rowsBehind += block?.rowCount ?? 0
      } else if let block {
        take(block, &place)
      } else if let body = try RecordingIndex.body(of: header, at: offset, in: file) {
        take(body, BlockType(rawValue: header.type), &place)
      }
    }
    session = place.facts["session"]?.text ?? ""
    device = place.facts["device"]?.text ?? ""
  }

  /// What is known at a place of the file.
  private struct Place {
    var facts = ValueDictionary()
    /// The number of the next message of each series, and the events before it.
    var numbers: [UInt32: UInt32] = [:]
    var events: [UInt32: [[UInt8]]] = [:]
  }

  private mutating func take(_ block: RecordedBlock, _ place: inout Place) {
    // Rows that nothing describes are not ours.
    guard let number = place.numbers[block.series] else { return }
    let events = place.events.removeValue(forKey: block.series) ?? []
    entries.append(
      Entry(
        offset: block.offset, header: block.header, series: block.series, number: number,
        rowCount: block.rowCount, events: events))
    place.numbers[block.series] = number &+ Spool.blocks(behind: events.count)
  }

  private mutating func take(_ body: [UInt8], _ type: BlockType?, _ place: inout Place) {
    guard case .dictionary(let members)? = try? Value(json: body) else { return }
    switch type {
    case .opening: place.facts = members
    case .series:
      guard let described = RecordedSeries(members) else { return }
      series[described.number] = described
      let next = members["next"]?.whole.flatMap { UInt32(exactly: $0) }
      if place.numbers[described.number] == nil { place.numbers[described.number] = next }
    case .event:
      guard let number = members["series"]?.whole.flatMap({ UInt32(exactly: $0) }) else { return }
      place.events[number, default: []].append(body)
    default: break
    }
  }

  /// How many messages there are.
  var count: Int { entries.count }

  /// What a message's rows are of, and how many it has.
  func summary(of message: Int) -> (origin: RecordedSeries.Origin, rows: Int)? {
    guard entries.indices.contains(message), let facts = series[entries[message].series] else {
      return nil
    }
    return (facts.origin, entries[message].rowCount)
  }

  /// A message. Throws `parse` where it is damaged.
  func rows(of message: Int, in segment: Int) throws(SourceError) -> SpooledRows {
    guard entries.indices.contains(message), let facts = series[entries[message].series] else {
      throw .parse("\(file.path): message \(message) is gone")
    }
    let entry = entries[message]
    guard let body = try RecordingIndex.body(of: entry.header, at: entry.offset, in: file) else {
      throw .parse("\(file.path): the check sum of a block is wrong")
    }
    return SpooledRows(
      place: SpoolPlace(segment: segment, message: message), session: session, series: facts,
      number: entry.number, events: entry.events, body: body, rowCount: entry.rowCount)
  }
}
