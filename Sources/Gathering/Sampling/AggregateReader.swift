import Ground

/// Reads the instance that speaks for all: its own part first, then every member, then the rule of
/// the catalogue.
final class AggregateReader: ReportReader {
  private let kind: any SourceKind
  private let own: (any InstanceReader)?
  private var members: [(reader: any InstanceReader, reading: Reading)]
  /// The readings that count, while they are combined.
  private var counted: [Reading] = []
  private var isFirst = true
  /// What hears a daemon's reports for all.
  var listener: (any ReportListener)? { (own as? any ReportReader)?.listener }

  init(
    _ kind: any SourceKind, own: (any InstanceReader)?, members: [any InstanceReader]
  ) {
    self.kind = kind
    self.own = own
    let count = kind.properties.count
    self.members = members.map { ($0, Reading(properties: count)) }
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
    for index in members.indices {
      members[index].reader.read(request, into: &members[index].reading)
      kind.derivePreserving(&members[index].reading)
      if kind.counts(members[index].reading) { counted.append(members[index].reading) }
    }
    reading.derive { kind.combine(counted, into: &$0) }
    // Members write into their readings in place only while nothing else refers to them.
    counted.removeAll(keepingCapacity: true)
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { own?.raw(ofPropertyAt: index) }
}
