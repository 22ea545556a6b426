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
  /// Properties without a legal key, type or unit are left out.
  convenience init(_ text: UnsafeRawBufferPointer) throws(MessageFault) {
    var members = try FleetJSON.document(Self.format, of: text)
    guard let session = members["session"]?.text, let sent = Instant(members["sent"]) else {
      throw .incomplete
    }
    if let properties = members["properties"]?.items {
      guard properties.count <= FleetJSON.propertyLimit else { throw .tooMany }
      members["properties"] = .list(properties.filter(\.isLegalProperty))
    }
    members["series"] = .int(0)
    guard var series = RecordedSeries(members) else { throw .incomplete }
    if case .stream = series.origin {
      // What its values are, once that is known.
      series.properties = (members["properties"]?.items ?? []).compactMap { row in
        row.members.flatMap { Property($0) }
      }
      guard series.properties.count <= 1 else { throw .incomplete }
    }
    self.init(
      session: session, sent: sent, interval: max(0, members["interval_ns"]?.whole ?? 0),
      hasRows: members["rows"]?.truth ?? false, series: series)
  }
}

extension Value {
  /// Whether it describes a property as ours may be.
  fileprivate var isLegalProperty: Bool {
    guard let members, Property(members) != nil, let key = members["key"]?.text,
      (try? PropertyIdentifier(parsing: "kind|x/\(key)")) != nil
    else { return false }
    guard let unit = members["unit"]?.text else { return true }
    return (try? UnitConversion(from: unit, to: unit)) != nil
  }
}
