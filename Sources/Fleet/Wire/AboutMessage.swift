import Gathering
import Ground
import Recording
import Values

/// What a source or a stream is: `about`, retained: the body of a recording's series, and more.
final class AboutMessage: Sendable {
  static let format = "gatheredkit.about"

  let session: String
  let sent: Instant
  /// The time between two readings in nanoseconds; 0 while none are taken.
  let interval: Int64
  /// Whether every reading is sent as rows, besides the newest one as state.
  let hasRows: Bool
  let series: RecordedSeries

  init(session: String, sent: Instant, interval: Int64, hasRows: Bool, series: RecordedSeries) {
    (self.session, self.sent, self.series) = (session, sent, series)
    (self.interval, self.hasRows) = (interval, hasRows)
  }

  var dictionary: ValueDictionary {
    var members: ValueDictionary = [
      "format": .string(Self.format), "version": .int(1), "session": .string(session),
      "sent": sent.dictionary, "interval_ns": .int(interval), "rows": .bool(hasRows),
    ]
    for (key, value) in series.dictionary where key != "series" { members[key] = value }
    if case .stream = series.origin, !series.properties.isEmpty {
      members["properties"] = .list(series.properties.map { .dictionary($0.dictionary) })
    }
    return members
  }
}

extension AboutMessage {
  /// Reads a message. Properties without a legal key, type or unit are left out; what has come
  /// before of another machine is not read again.
  convenience init(
    _ text: UnsafeRawBufferPointer, _ lists: inout PropertyLists
  ) throws(MessageFault) {
    guard text.count <= FleetJSON.listLimit else { throw .tooLong }
    let halves = AboutHalves(text)
    if let halves, let series = lists.series(halves.rest) {
      try self.init(halves.members, series)
      return
    }
    let (members, properties) = try Self.read(text, &lists)
    try self.init(members, properties)
    if let halves { lists.keep(series, as: halves.rest) }
  }

  /// The members of a message, and its properties, a list of which that has come before is not read
  /// again.
  private static func read(
    _ text: UnsafeRawBufferPointer, _ lists: inout PropertyLists
  ) throws(MessageFault) -> (ValueDictionary, [Property]) {
    if let place = PropertyLists.place(in: text) {
      let rest = Array(text[..<place.lowerBound]) + Array("[]".utf8) + text[place.upperBound...]
      let members = try FleetJSON.document(Self.format, of: rest)
      if members["properties"]?.items?.isEmpty == true {
        return (members, try lists.properties(text[place]))
      }
    }
    var members = try FleetJSON.document(Self.format, of: text)
    let rows = members["properties"]?.items
    if rows != nil { members["properties"] = .list([]) }
    return (members, try PropertyLists.legal(rows ?? []))
  }

  private convenience init(
    _ facts: ValueDictionary, _ properties: [Property]
  ) throws(MessageFault) {
    var members = facts
    members["series"] = .int(0)
    guard var series = RecordedSeries(members) else { throw .incomplete }
    series.properties = properties
    // What the values of a stream are, once that is known.
    if case .stream = series.origin, properties.count > 1 { throw .incomplete }
    try self.init(facts, series)
  }

  private convenience init(
    _ members: ValueDictionary, _ series: RecordedSeries
  ) throws(MessageFault) {
    guard let session = members["session"]?.text, let sent = Instant(members["sent"]) else {
      throw .incomplete
    }
    self.init(
      session: session, sent: sent, interval: max(0, members["interval_ns"]?.whole ?? 0),
      hasRows: members["rows"]?.truth ?? false, series: series)
  }
}

/// A message in two halves: what each machine says anew, and what machines of one make have alike.
private struct AboutHalves {
  /// The names of the first half; the second then has none of them, since no name is there twice.
  private static let names = ["format", "version", "session", "sent", "interval_ns", "rows"]
  private static let mark = Array(",\"source\":".utf8)

  let members: ValueDictionary
  let rest: [UInt8]

  /// Nil where the first half is not ours.
  init?(_ text: UnsafeRawBufferPointer) {
    guard let place = text.firstPlace(of: Self.mark) else { return nil }
    let half = Array(text[..<place]) + [UInt8(ascii: "}")]
    guard let members = try? FleetJSON.document(AboutMessage.format, of: half),
      members.keys == Self.names
    else { return nil }
    self.members = members
    rest = Array(text[place...])
  }
}
