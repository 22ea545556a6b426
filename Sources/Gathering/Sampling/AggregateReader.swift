import Ground

/// Reads the instance that speaks for all: its own part first, then every member, then the rule of
/// the catalogue.
final class AggregateReader: ReportReader {
  private let kind: any SourceKind
  private let own: (any InstanceReader)?
  private let members: [any InstanceReader]
  /// The last reading of each member, which is written in place.
  private var readings: [Reading]
  private var isFirst = true
  /// Whether one that it reads may.
  let mayBlock: Bool
  /// What hears a daemon's reports for all.
  var listener: (any ReportListener)? { (own as? any ReportReader)?.listener }

  init(
    _ kind: any SourceKind, own: (any InstanceReader)?, members: [any InstanceReader]
  ) {
    self.kind = kind
    self.own = own
    self.members = members
    mayBlock = own?.mayBlock == true || members.contains(where: \.mayBlock)
    let first = Reading(properties: kind.properties.count)
    readings = members.map { _ in first }
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    if isFirst {
      let lineage = reading.lineage
      reading = Reading(properties: kind.properties.count, at: reading.instant)
      reading.lineage = lineage
      isFirst = false
    }
    own?.read(request, into: &reading)
    var request = request
    request.isForAggregate = true
    for place in members.indices {
      readings[place].instant = reading.instant
      members[place].read(request, into: &readings[place])
      kind.derivePreserving(&readings[place])
    }
    reading.derive { kind.combine(counted, into: &$0) }
  }

  /// The readings that count. Members write in place only while nothing else refers to the list.
  private var counted: [Reading] {
    for place in readings.indices where !kind.counts(place, of: readings) {
      let counted = readings.indices.filter { kind.counts($0, of: readings) }
      return counted.map { readings[$0] }
    }
    return readings
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { own?.raw(ofPropertyAt: index) }
}
