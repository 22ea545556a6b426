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
  /// Reads a message. Properties without a legal key, type or unit are left out; a list of them
  /// that has come before is not read again.
  convenience init(
    _ text: UnsafeRawBufferPointer, _ lists: inout PropertyLists
  ) throws(MessageFault) {
    guard text.count <= FleetJSON.listLimit else { throw .tooLong }
    if let place = PropertyLists.place(in: text) {
      let rest = Array(text[..<place.lowerBound]) + Array("[]".utf8) + text[place.upperBound...]
      let members = try FleetJSON.document(Self.format, of: rest)
      if members["properties"]?.items?.isEmpty == true {
        let properties = try lists.properties(text[place])
        try self.init(members, properties)
        return
      }
    }
    var members = try FleetJSON.document(Self.format, of: text)
    let rows = members["properties"]?.items
    if rows != nil { members["properties"] = .list([]) }
    try self.init(members, try PropertyLists.legal(rows ?? []))
  }

  private convenience init(
    _ facts: ValueDictionary, _ properties: [Property]
  ) throws(MessageFault) {
    var members = facts
    members["series"] = .int(0)
    guard let session = members["session"]?.text, let sent = Instant(members["sent"]),
      var series = RecordedSeries(members)
    else { throw .incomplete }
    series.properties = properties
    // What the values of a stream are, once that is known.
    if case .stream = series.origin, properties.count > 1 { throw .incomplete }
    self.init(
      session: session, sent: sent, interval: max(0, members["interval_ns"]?.whole ?? 0),
      hasRows: members["rows"]?.truth ?? false, series: series)
  }
}
