import Gathering
import Ground
import Recording
import Values

/// Rows of one series as blocks of a recording, as they wait to be sent (fleet F5).
///
/// The blocks have their numbers since they were made; the opening in front of them tells when they
/// are sent.
struct RowsMessage: Sendable {
  /// A block behind the opening.
  struct Part: Sendable {
    let type: BlockType
    let body: [UInt8]
    /// Of rows, that of their series.
    let series: UInt32?
  }

  /// The session that gathered the rows.
  let session: String
  /// The number of the opening; that of each block behind it is one more.
  var number: UInt32
  /// How many numbers behind the opening's are left out: that of a description which those who
  /// need it get.
  var leftOut: UInt32 = 0
  private(set) var parts: [Part] = []
  private(set) var rowCount = 0

  init(session: String, number: UInt32) {
    self.session = session
    self.number = number
  }

  /// The bodies of its events, and of its rows.
  var events: [[UInt8]] { parts.filter { $0.type == .event }.map(\.body) }
  var rowsBody: [UInt8]? { parts.last { $0.type == .rows }?.body }

  /// How many numbers its blocks take.
  var blockCount: UInt32 { UInt32(parts.count) + 1 + leftOut }

  /// How many bytes it takes, at most.
  var size: Int {
    parts.reduce(Self.openingLimit) { $0 + Format.blockHeaderSize + $1.body.count }
  }

  private static let openingLimit = 256

  /// What a spool holds, with the description of its series.
  init(_ spooled: SpooledRows) {
    self.init(session: spooled.session, number: spooled.number)
    append(.series, spooled.series.dictionary)
    for event in spooled.events { append(.event, body: event) }
    append(rows: spooled.body, count: spooled.rowCount, of: spooled.series.number)
  }

  mutating func append(_ type: BlockType, _ facts: ValueDictionary) {
    append(type, body: facts.message)
  }

  private mutating func append(_ type: BlockType, body: [UInt8]) {
    parts.append(Part(type: type, body: body, series: nil))
  }

  mutating func append(rows body: [UInt8], count: Int, of series: UInt32) {
    parts.append(Part(type: .rows, body: body, series: series))
    rowCount += count
  }

  /// The message as it is sent at a moment.
  func bytes(at instant: Instant, isLate: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    let opening = Self.opening(at: instant, of: session, isLate: isLate)
    BlockHeader.append(.opening, number: number, body: opening, series: nil, to: &bytes)
    for (place, part) in parts.enumerated() {
      BlockHeader.append(
        part.type, number: number &+ 1 &+ leftOut &+ UInt32(place), body: part.body,
        series: part.series, to: &bytes)
    }
    return bytes
  }

  /// The members of an opening, which every message has.
  private static func opening(at instant: Instant, of session: String, isLate: Bool) -> [UInt8] {
    let (library, session) = (Value.string(Version.text).jsonText, Value.string(session).jsonText)
    let text = """
      {"boot":\(instant.boot),"realtime":\(instant.realtime),"library":\(library),"segment":0,\
      "session":\(session)\(isLate ? ",\"late\":true" : "")}
      """
    return Array(text.utf8)
  }

  /// The same rows in two messages, the second of which begins at a number; nil where there is but
  /// one row.
  func halves(secondFrom second: UInt32) -> [RowsMessage]? {
    guard rowCount > 1, let last = parts.last, let series = last.series,
      let halves = try? RecordedRows(body: last.body).halves
    else { return nil }
    var first = RowsMessage(session: session, number: number)
    first.leftOut = leftOut
    first.parts = Array(parts.dropLast())
    first.append(rows: halves[0].body, count: halves[0].rowCount, of: series)
    var rest = RowsMessage(session: session, number: second)
    rest.append(rows: halves[1].body, count: halves[1].rowCount, of: series)
    return [first, rest]
  }
}

/// A message of rows that has arrived, whole.
struct ReceivedRows: Sendable {
  /// A part of it, with the number of its block.
  final class Part: Sendable {
    enum Content: Sendable {
      case series(RecordedSeries)
      case rows(RecordedRows)
      case event(RecordedEvent)
    }

    let number: UInt32
    let content: Content

    init(number: UInt32, content: Content) { (self.number, self.content) = (number, content) }
  }

  var session = ""
  var sent = Instant(boot: 0, realtime: 0)
  var isLate = false
  /// The number of the opening.
  var number: UInt32 = 0
  var parts: [Part] = []

  /// What it says its series is, where it does.
  var series: RecordedSeries? {
    for part in parts {
      if case .series(let series) = part.content { return series }
    }
    return nil
  }

  /// Reads a message. What is of a later version is passed over.
  init(_ message: UnsafeRawBufferPointer) throws(MessageFault) {
    guard message.count <= FleetJSON.rowsLimit else { throw .tooLong }
    var rest = message[...]
    var isOpen = false
    while !rest.isEmpty {
      guard let header = BlockHeader(Array(rest.prefix(Format.blockHeaderSize))[...]),
        header.blockSize <= rest.count
      else { throw .noBlocks }
      let body = Array(rest.dropFirst(Format.blockHeaderSize).prefix(header.length))
      guard BlockHeader.check(of: body) == header.bodyCheck else { throw .noBlocks }
      rest = rest.dropFirst(header.blockSize)
      if isOpen {
        try take(header, body)
      } else {
        try open(header, body)
        isOpen = true
      }
    }
    guard isOpen else { throw .noBlocks }
  }

  private mutating func open(_ header: BlockHeader, _ body: [UInt8]) throws(MessageFault) {
    guard header.type == BlockType.opening.rawValue, let members = Self.members(of: body) else {
      throw .noBlocks
    }
    guard let session = members["session"]?.text, let boot = members["boot"]?.whole,
      let realtime = members["realtime"]?.whole
    else { throw .incomplete }
    self.session = session
    sent = Instant(boot: boot, realtime: realtime)
    isLate = members["late"]?.truth ?? false
    number = header.number
  }

  private mutating func take(_ header: BlockHeader, _ body: [UInt8]) throws(MessageFault) {
    guard let type = BlockType(rawValue: header.type) else { return }
    let content: Part.Content
    switch type {
    case .opening, .closing: return
    case .series:
      guard let series = Self.members(of: body).flatMap(RecordedSeries.init) else {
        throw .incomplete
      }
      guard series.properties.count <= FleetJSON.propertyLimit else { throw .tooMany }
      content = .series(series)
    case .event:
      guard let event = Self.members(of: body).flatMap(RecordedEvent.init) else { return }
      content = .event(event)
    case .rows:
      guard let rows = try? RecordedRows(body: body) else { throw .noBlocks }
      content = .rows(rows)
    }
    parts.append(Part(number: header.number, content: content))
  }

  private static func members(of body: [UInt8]) -> ValueDictionary? {
    guard body.count <= Format.textLimit else { return nil }
    return body.withUnsafeBytes { try? FleetJSON.members(of: $0, limit: Format.textLimit) }
  }
}
