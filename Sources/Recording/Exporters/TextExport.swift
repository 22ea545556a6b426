public import Gathering
import Ground
public import Machine

/// Writes what was recorded as text, into a file that is there whole or not at all.
///
/// Rows of several sources, and what happened to them, are merged by their wall time, one block of
/// each in memory. It belongs to one thread at a time.
public struct TextExport {
  /// How far an export has come.
  public struct Progress: Equatable, Sendable {
    /// How many rows were written.
    public var rows = 0
    /// How many there are, those of damaged blocks included.
    public var allRows: Int
  }

  /// How many bytes are put together before they are written.
  private static let chunkSize = 1 << 20

  private let text: RowText
  private let series: [TextSeries]
  private var cursors: [RowCursor]
  /// When the next row of each table was, once they have been looked at.
  private var heads: TimeQueue?
  private let events: [(RecordedEvent, series: Int?)]
  private var nextEvent = 0
  private var progress: Progress
  private var isOver = false

  /// An export of some tables. Throws `invalidArgument` where the format has room for one only.
  public init(_ tables: [RecordedTable], as format: TextFormat) throws(SourceError) {
    guard format.takesSeveral || tables.count == 1 else {
      throw .invalidArgument(
        "a file with a column a property holds one source; several take the long layout")
    }
    text = RowText(format)
    series = tables.map { TextSeries($0) }
    cursors = tables.map { RowCursor($0) }
    events = Self.events(of: tables)
    progress = Progress(allRows: tables.reduce(0) { $0 + $1.rowCount })
  }

  /// What happened to some tables, by time, and to which of them; nil for all of a recording.
  private static func events(of tables: [RecordedTable]) -> [(RecordedEvent, series: Int?)] {
    let recordings = Dictionary(grouping: tables.indices) { ObjectIdentifier(tables[$0].file) }
    let events = recordings.values.flatMap { own -> [(RecordedEvent, series: Int?)] in
      var places: [UInt32: Int] = [:]
      for place in own { for number in tables[place].numbers { places[number] = place } }
      return own.first.map { tables[$0].file.events }?.compactMap { event in
        guard let number = event.series else { return (event, nil) }
        return places[number].map { (event, $0) }
      } ?? []
    }
    return events.sorted { $0.0.instant.realtime < $1.0.instant.realtime }
  }

  /// Writes tables to a file, which takes its name when all is on the device; before, it is called
  /// the same with `.part` behind.
  ///
  /// `progress` is called now and then, and gives the export up by answering false: nothing is left
  /// behind then, and the answer is false. A damaged block costs its rows only; the log and the
  /// recording's `problems` tell. Throws `invalidArgument` as said above; `io` with EEXIST where
  /// there is such a file, unless it is to be replaced, and with what reading and writing say.
  @discardableResult
  public static func write(
    _ tables: [RecordedTable], as format: TextFormat, to path: String, replacing: Bool = false,
    in storage: any FileStorage = LiveStorage(), progress: (Progress) -> Bool = { _ in true }
  ) throws(SourceError) -> Bool {
    var export = try TextExport(tables, as: format)
    if !replacing, (try? storage.open(path, for: .reading)) != nil {
      throw .io(errno: .exists, place: path)
    }
    let part = path + ".part"
    let file = try Self.makeAside(part, in: storage)
    do throws(SourceError) {
      if try export.write(to: file, telling: progress) {
        try Self.checked { () throws(SystemError) in try storage.move(part, to: path) }
        return true
      }
    } catch {
      try? storage.remove(part)
      throw error
    }
    try? storage.remove(part)
    return false
  }

  /// A new file, or an empty one in place of what a killed process left. Throws EBUSY while another
  /// export writes it.
  private static func makeAside(
    _ path: String, in storage: any FileStorage
  ) throws(SourceError) -> any StoredFile {
    do throws(SystemError) {
      return try storage.open(path, for: .creating)
    } catch {
      guard error.code == .exists else { throw SourceError(error) }
      return try checked { () throws(SystemError) in
        let file = try storage.open(path, for: .changing)
        try file.truncate(to: 0)
        return file
      }
    }
  }

  private static func checked<Answer>(
    _ body: () throws(SystemError) -> Answer
  ) throws(SourceError) -> Answer {
    do throws(SystemError) {
      return try body()
    } catch {
      throw SourceError(error)
    }
  }

  // MARK: Line by line

  private mutating func write(
    to file: any StoredFile, telling tell: (Progress) -> Bool
  ) throws(SourceError) -> Bool {
    var end = 0
    while let lines = try next() {
      try Self.checked { () throws(SystemError) in try file.writeAll(lines, at: end) }
      end += lines.count
      guard tell(progress) else { return false }
    }
    try Self.checked { () throws(SystemError) in try file.sync() }
    return true
  }

  /// The lines that come next, about `chunkSize` bytes of them; nil behind the last. Throws what
  /// reading the recording says.
  public mutating func next() throws(SourceError) -> [UInt8]? {
    if isOver { return nil }
    var lines = heads == nil ? series.first.map { text.header(for: $0) } ?? [] : []
    repeat { isOver = try !appendLine(to: &lines) } while !isOver && lines.count < Self.chunkSize
    return lines.isEmpty ? nil : lines
  }

  /// Appends the row or event that comes next; false if there is none left.
  private mutating func appendLine(to lines: inout [UInt8]) throws(SourceError) -> Bool {
    if heads == nil {
      heads = TimeQueue()
      for place in cursors.indices { try look(at: place) }
    }
    let next = heads?.first
    if nextEvent < events.count, case let (event, place) = events[nextEvent],
      // Of one moment, what was read comes before what is told of it, as the recorder had it.
      event.instant.realtime < next?.time ?? .max
    {
      text.append(event, of: place.map { series[$0] }, to: &lines)
      nextEvent += 1
      return true
    }
    guard let next = heads?.popFirst() else { return false }
    text.append(
      cursors[next.place].row(), time: next.time, of: series[next.place], to: &lines)
    progress.rows += 1
    try look(at: next.place)
    return true
  }

  private mutating func look(at place: Int) throws(SourceError) {
    if let time = try cursors[place].time() { heads?.insert(place, at: time) }
  }
}
