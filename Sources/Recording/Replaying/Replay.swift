public import Gathering
public import Ground
import Machine
import Values

/// A recording as a context plays it: the same sources, ids, values and times (sources V14).
///
/// Streams that were recorded beside sources are no sources, and are not played.
public final class Replay: ReplayedSources {
  /// The moment of the first row.
  public let start: Instant
  /// Nanoseconds from there to the last row.
  public let duration: Int64
  /// The kinds as recorded, each with its own property table.
  public let kinds: [any SourceKind]
  private let timeline: ReplayTimeline
  /// The recorded kinds, in the order of the recording.
  private let recorded: [ExactText: RecordedKind]

  /// The sources of one kind.
  private struct RecordedKind: Sendable {
    var ids: [SourceIdentifier] = []
    /// The ids by the name of the instance: the first of that name.
    var byName: [ExactText: SourceIdentifier] = [:]
    /// The series of each source, in the order they were recorded.
    var series: [SourceIdentifier: [RecordedSeries]] = [:]
  }

  /// The recording that is played.
  public var recording: RecordingParts { timeline.file }

  /// Opens a recording to play it. Throws as `RecordingParts` does.
  ///
  /// Its files are played as one; the name of a later file plays that one alone. All whole blocks
  /// of a damaged recording are played; a loss is an event of its source, and a gap.
  public convenience init(_ path: String) throws(SourceError) {
    try self.init(RecordingParts(path))
  }

  init(_ file: RecordingParts) throws(SourceError) {
    timeline = try ReplayTimeline(file)
    var order: [ExactText] = []
    var recorded: [ExactText: RecordedKind] = [:]
    for each in file.series {
      guard case .source(let id) = each.origin, let name = id.instance else { continue }
      let kind = ExactText(id.kind)
      if recorded[kind] == nil { order.append(kind) }
      let isNew = recorded[kind]?.series[id] == nil
      recorded[kind, default: RecordedKind()].series[id, default: []].append(each)
      guard isNew else { continue }
      recorded[kind]?.ids.append(id)
      let exact = ExactText(name)
      if recorded[kind]?.byName[exact] == nil { recorded[kind]?.byName[exact] = id }
    }
    self.recorded = recorded
    kinds = order.compactMap { kind in
      guard let first = recorded[kind]?.ids.first else { return nil }
      return recorded[kind]?.series[first]?.last.map { ReplayedKind(kind.text, $0) }
    }
    start = timeline.start
    duration = timeline.duration
  }

  /// The instances of a kind, the aggregate first.
  public func instances(of kind: any SourceKind) -> [Instance] {
    guard let own = recorded[ExactText(kind.kind)] else { return [] }
    let instances = own.ids.compactMap { id -> Instance? in
      guard let series = own.series[id], let newest = series.last, let name = id.instance else {
        return nil
      }
      let hasRows = series.contains { timeline.hasBlocks(of: $0.number) }
      let available = Availability(.available, backend: "replay")
      // The aggregate is played like any other instance: its members need not have been recorded.
      var instance = Instance(
        name, label: newest.label, availability: hasRows ? available : newest.availability,
        path: name, isMember: false)
      instance.properties = newest.properties
      return instance
    }
    return instances.filter { $0.name == "aggregate" } + instances.filter { $0.name != "aggregate" }
  }

  /// A way through the rows of one instance.
  public func rows(
    of instance: Instance, of kind: any SourceKind
  ) throws(SourceError) -> any ReplayedRows {
    let own = recorded[ExactText(kind.kind)]
    guard let id = own?.byName[ExactText(instance.name)], let series = own?.series[id],
      let table = series.last?.properties
    else {
      throw .notFound("\(kind.kind)|\(instance.name) was not recorded")
    }
    return try ReplayedSeries(series, table: table, on: timeline)
  }
}

/// A kind as it was recorded.
struct ReplayedKind: SourceKind {
  let kind: String
  let name: String
  let properties: [Property]
  /// Every row, unless less is asked for.
  let intervals = Intervals(seconds: 0.001, minimum: 0.001)

  init(_ kind: String, _ series: RecordedSeries) {
    self.kind = kind
    name = series.kindName
    properties = series.properties
  }

  func discover(on machine: Machine) -> Discovery {
    Discovery([], orElse: Availability(.noHardware, backend: "replay"))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? { nil }
}
