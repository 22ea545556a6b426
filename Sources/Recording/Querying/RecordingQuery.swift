import DataSources
import Gathering
import Values

/// A query of a recording: which rows, in which order, one by one or by intervals.
public struct RecordingQuery: Equatable, Sendable {
  /// In which order rows come. Rows of one time come in the order of their series, then as
  /// recorded.
  public enum Arrangement: Sendable {
    /// By time, over all series.
    case byTime
    /// One series after the other in the byte order of their names, each by time.
    case bySeries
  }

  /// Full ids of sources, names of streams, or kinds, which stand for all their instances; nil for
  /// all.
  public var series: [String]?
  /// Keys of properties; nil for all. The one sample of a stream is its `value`.
  public var properties: [String]?
  /// From when on and up to when, which is not included: nanoseconds on CLOCK_REALTIME.
  public var range: Range<Int64>?
  /// In which order rows come.
  public var arrangement = Arrangement.byTime
  /// The number of rows to skip. Whole blocks are skipped unread if their order allows it.
  public var offset = 0
  /// How many rows come at most.
  public var limit = Int.max

  /// The times, including the last, and the names of series it selects.
  var bounds: ClosedRange<Int64>?
  var names: [EntryID]?

  /// Everything.
  public init() {}

  /// Whether it selects no time.
  var isVoid: Bool {
    guard let range else { return false }
    return range.isEmpty || bounds.map { !$0.overlaps(ClosedRange(range)) } ?? false
  }

  /// From the first to the last selected time; nil for any.
  var span: ClosedRange<Int64>? {
    guard let range, !isVoid else { return bounds }
    let own = ClosedRange(range)
    return bounds.map(own.clamped) ?? own
  }

  /// Names in the query that the recording does not have: series first, then properties, each once.
  public func unknown(in parts: RecordingParts) -> [String] {
    missing(in: parts).reduce(into: []) { names, name in
      if !names.contains(where: { EntryID($0) == EntryID(name.text) }) { names.append(name.text) }
    }
  }

  /// The series that names stand for; all of nil.
  static func named(_ names: [String]?, in parts: RecordingParts) -> [EntryID] {
    var query = RecordingQuery()
    query.series = names
    return query.chosen(of: parts.series).map { EntryID($0.name) }
  }

  private func missing(in parts: RecordingParts) -> [(text: String, others: [String])] {
    let all = parts.series
    let names = (series ?? []).filter { name in !all.contains { $0.answers(to: name) } }
    let keys = chosen(of: all).flatMap(\.keys)
    let others = (properties ?? []).filter { !keys.contains($0) }
    return names.map { ($0, all.map(\.name)) } + others.map { ($0, Set(keys).sorted()) }
  }

  private func chosen(of all: [RecordedSeries]) -> [RecordedSeries] {
    guard let wanted = series else { return all }
    return all.filter { series in wanted.contains { series.answers(to: $0, among: all) } }
  }

  /// The series it is about and the properties wanted of each, in the order of names.
  ///
  /// Throws `invalidArgument` for a negative offset or limit, `notFound` for a name that the
  /// recording does not have.
  func selection(of parts: RecordingParts) throws(SourceError) -> [QueriedSeries] {
    if offset < 0 || limit < 0 {
      throw .invalidArgument("a query has no negative offset or limit")
    }
    if let first = missing(in: parts).first {
      throw .notFound(
        Nearest.sentence(to: first.text, among: first.others, what: "series or property"))
    }
    let all = chosen(of: parts.series).map { QueriedSeries($0, properties) }
    return all.filter { series in
      !series.columns.isEmpty && names?.contains(EntryID(series.name)) ?? true
    }.sorted { EntryID($0.name) < EntryID($1.name) }
  }
}

/// A series of a query, and the properties selected.
public final class QueriedSeries: Sendable {
  /// Its description.
  public let facts: RecordedSeries
  /// The id of the source, or the name of the stream.
  public let name: String
  /// The properties wanted, by their places among the samples of a row.
  public let columns: [Int]
  /// The names of the properties in dictionaries: their keys, except `source` and `time`, which are
  /// members of every row and therefore get the kind as a prefix: `gps.time`. The single sample of
  /// a stream is its `value`.
  public let members: [String]

  /// The members of every dictionary, which no property may have.
  static let own = ["source", "time", "rows"]

  init(_ facts: RecordedSeries, _ properties: [String]?) {
    self.facts = facts
    name = facts.name
    let keys = facts.keys
    columns = keys.indices.filter { properties?.contains(keys[$0]) ?? true }
    members = columns.map { column in
      guard Self.own.contains(keys[column]), case .source(let id) = facts.origin else {
        return keys[column]
      }
      return "\(id.kind).\(keys[column])"
    }
  }

  /// The type of a property by its place among the selected ones; nil for a stream of any type.
  func type(at place: Int) -> PropertyType? {
    facts.properties.indices.contains(columns[place])
      ? facts.properties[columns[place]].type : nil
  }
}

extension RecordedSeries {
  /// The names of the samples in a row.
  fileprivate var keys: [String] {
    if case .stream = origin { ["value"] } else { properties.map(\.key) }
  }

  /// Whether a name means this series: its own, or its kind's.
  public func answers(to name: String) -> Bool {
    if EntryID(self.name) == EntryID(name) { return true }
    if case .source(let id) = origin { return id.kind == name }
    return false
  }

  /// The same; the name of a series does not stand for a kind.
  fileprivate func answers(to name: String, among all: [RecordedSeries]) -> Bool {
    if EntryID(self.name) == EntryID(name) { return true }
    return answers(to: name) && !all.contains { EntryID($0.name) == EntryID(name) }
  }
}
