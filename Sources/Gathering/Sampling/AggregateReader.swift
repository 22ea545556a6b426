import Ground

/// Reads the instance that speaks for all: its own part first, then every member, then the rule of
/// the catalogue.
final class AggregateReader: ReportReader {
  /// A member and its last reading, which is written in place.
  private final class Member {
    let reader: any InstanceReader
    var reading: Reading

    init(_ reader: any InstanceReader, _ reading: Reading) {
      self.reader = reader
      self.reading = reading
    }
  }

  private let kind: any SourceKind
  private let own: (any InstanceReader)?
  private let members: [Member]
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
    self.members = members.map { Member($0, Reading(properties: count)) }
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
    for member in members {
      member.reader.read(request, into: &member.reading)
      kind.derivePreserving(&member.reading)
      if kind.counts(member.reading) { counted.append(member.reading) }
    }
    reading.derive { kind.combine(counted, into: &$0) }
    // Members write into their readings in place only while nothing else refers to them.
    counted.removeAll(keepingCapacity: true)
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { own?.raw(ofPropertyAt: index) }
}
