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
  let session: String
  let device: String
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
    var numbers: [UInt32: UInt32] = [:]
    var events: [UInt32: [[UInt8]]] = [:]
    var rows = index.blocks[...]
    var facts = ValueDictionary()
    let end = index.problems.first?.bytes.lowerBound ?? .max
    damage = index.problems.first?.reason
    for (offset, header) in index.places {
      let block = rows.first?.offset == offset ? rows.popFirst() : nil
      guard offset < end else {
        rowsBehind += block?.rowCount ?? 0
        continue
      }
      if let block {
        // Rows that nothing describes are not ours.
        guard let number = numbers[block.series] else { continue }
        let before = events.removeValue(forKey: block.series) ?? []
        entries.append(
          Entry(
            offset: offset, header: header, series: block.series, number: number,
            rowCount: block.rowCount, events: before))
        numbers[block.series] = number &+ Spool.blocks(behind: before.count)
        continue
      }
      guard let body = try RecordingIndex.body(of: header, at: offset, in: file),
        case .dictionary(let members)? = try? Value(json: body)
      else { continue }
      switch BlockType(rawValue: header.type) {
      case .opening: facts = members
      case .series:
        guard let described = RecordedSeries(members) else { continue }
        series[described.number] = described
        let next = members["next"]?.whole.flatMap { UInt32(exactly: $0) }
        if numbers[described.number] == nil { numbers[described.number] = next }
      case .event:
        if let number = members["series"]?.whole.flatMap({ UInt32(exactly: $0) }) {
          events[number, default: []].append(body)
        }
      default: break
      }
    }
    session = facts["session"]?.text ?? ""
    device = facts["device"]?.text ?? ""
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
