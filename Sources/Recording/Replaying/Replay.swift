public import Gathering
public import Machine

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
  /// The series of each source, in the order they were recorded.
  private let series: [SourceIdentifier: [RecordedSeries]]
  private let ids: [SourceIdentifier]

  /// The recording that is played.
  public var recording: RecordingParts { timeline.file }

  /// Opens a recording to play it. Throws what `RecordingParts` throws.
  ///
  /// Its files are played as one; the name of a later one plays that one alone.
  public init(_ path: String) throws(SourceError) {
    let file = try RecordingParts(path)
    timeline = ReplayTimeline(file)
    var series: [SourceIdentifier: [RecordedSeries]] = [:]
    var ids: [SourceIdentifier] = []
    for each in file.series {
      guard case .source(let id) = each.origin, id.instance != nil else { continue }
      if series[id] == nil { ids.append(id) }
      series[id, default: []].append(each)
    }
    self.series = series
    self.ids = ids
    var kinds: [ReplayedKind] = []
    for id in ids where !kinds.contains(where: { $0.kind == id.kind }) {
      if let newest = series[id]?.last { kinds.append(ReplayedKind(id.kind, newest)) }
    }
    self.kinds = kinds
    start = timeline.start
    duration = timeline.duration
  }

  /// The instances of a kind, what speaks for all first.
  public func instances(of kind: any SourceKind) -> [Instance] {
    let instances = ids.filter { $0.kind == kind.kind }.compactMap { id -> Instance? in
      guard let newest = series[id]?.last, let name = id.instance else { return nil }
      let hasRows = series[id]?.contains { !timeline.blocks(of: $0.number).isEmpty } ?? false
      let available = Availability(.available, backend: "replay")
      // What speaks for all is played like any other: its members need not have been recorded.
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
    let id = ids.first { $0.kind == kind.kind && $0.instance == instance.name }
    guard let id, let series = series[id], let table = series.last?.properties else {
      throw .notFound("\(kind.kind)|\(instance.name) was not recorded")
    }
    return ReplayedSeries(series, table: table, on: timeline)
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

/// The time of a recording as one clock: parts appended after another boot follow by wall time.
struct ReplayTimeline: Sendable {
  let file: RecordingParts
  let start: Instant
  let duration: Int64
  /// What is added to the boot times of each part.
  private let shifts: [Int64]

  init(_ file: RecordingParts) {
    self.file = file
    let openings = file.openings.map(\.instant)
    let offsets = openings.map { $0.realtime &- $0.boot }
    shifts = file.openings.reduce(into: []) { shifts, opening in
      if opening.continues, let former = shifts.last { return shifts.append(former) }
      let difference = opening.instant.realtime &- opening.instant.boot &- (offsets.first ?? 0)
      // Less is the wall clock being kept right, within one boot.
      shifts.append(difference.magnitude < 1_000_000_000 ? 0 : difference)
    }
    let spans = file.blocks.map { [shifts] block in
      let shift = shifts.indices.contains(block.part) ? shifts[block.part] : 0
      return (
        first: block.boot.lowerBound &+ shift, last: block.boot.upperBound &+ shift,
        offset: block.realtime.lowerBound &- block.boot.lowerBound &- shift
      )
    }
    let first = spans.min { $0.first < $1.first }
    let begin = first?.first ?? openings.first?.boot ?? 0
    start = Instant(boot: begin, realtime: begin &+ (first?.offset ?? offsets.first ?? 0))
    duration = max(0, (spans.map(\.last).max() ?? begin) &- begin)
  }

  func shift(of block: RecordedBlock) -> Int64 {
    shifts.indices.contains(block.part) ? shifts[block.part] : 0
  }

  func blocks(of series: UInt32) -> [RecordedBlock] { file.blocks(of: series) }
}
