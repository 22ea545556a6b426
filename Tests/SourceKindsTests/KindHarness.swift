import GatheredKitTesting
import Gathering
import Ground
import Machine

/// Reads the instances of one kind on one machine, in the order the life cycle does.
struct KindHarness {
  let kind: any SourceKind
  let machine: Machine
  let allow: Allowance

  init(_ kind: any SourceKind, machine: Machine, allow: Allowance = .all) {
    self.kind = kind
    self.machine = machine
    self.allow = allow
  }

  func discover() -> Discovery { kind.discover(on: machine) }

  /// The names of all instances in listing order.
  var names: [String] { discover().instances.map(\.name) }

  func instance(_ name: String) -> Instance? {
    discover().instances.first { $0.name == name }
  }

  /// The instance that another of its names, such as the kernel's, belongs to.
  func instance(alias name: String) -> Instance? {
    discover().instances.first { $0.aliases.contains(name) }
  }

  /// One reading of an instance by key; empty if there is no such instance.
  func read(
    _ name: String, scope: ReadRequest.Scope = .everything
  ) throws -> [String: Outcome] {
    guard let session = try Session(self, name) else { return [:] }
    return outcomes(of: session.read(scope), session.properties)
  }

  /// One reading of an instance: each outcome with the place it came from; nil if there is none.
  func readWithPlaces(_ name: String) throws -> [String: (outcome: Outcome, place: String?)]? {
    guard let session = try Session(self, name) else { return nil }
    let reading = session.read(.everything)
    var found: [String: (outcome: Outcome, place: String?)] = [:]
    for (index, property) in session.properties.enumerated() {
      let place = session.reader?.raw(ofPropertyAt: index)?.place
      found[property.key] = (reading.outcomes[index], place)
    }
    return found
  }

  /// The second of two readings some seconds apart, with its spans, by key.
  func readTwice(
    _ name: String, apart seconds: Double = 1, between change: () -> Void = {}
  ) throws -> [String: Outcome] {
    guard let session = try Session(self, name) else { return [:] }
    let first = session.read(.everything)
    change()
    var second = session.read(.changing, onto: first, at: Int64(seconds * 1e9))
    let inputs = kind.spans.compactMap(\.input)
    let bases = [first, second].map { SpanBasis($0, inputs: inputs) }
    for span in kind.spans {
      if let outcome = span.compute(bases[0], bases[1]).outcome { second[span.property] = outcome }
    }
    return outcomes(of: second, session.properties)
  }

  /// Readings of one instance, one after the other; each is handed over with its number.
  func readOften(
    _ name: String, _ count: Int, _ body: (Int, [String: Outcome]) throws -> Void
  ) throws {
    guard let session = try Session(self, name) else { return }
    for number in 0..<count {
      try body(number, outcomes(of: session.read(.everything), session.properties))
    }
  }

  /// The raw payload of a property after one reading.
  func raw(_ name: String, _ key: String) throws -> RawValue? {
    guard let session = try Session(self, name),
      let index = session.properties.firstIndex(where: { $0.key == key })
    else { return nil }
    _ = session.read(.everything)
    return session.reader?.raw(ofPropertyAt: index)
  }

  private func outcomes(of reading: Reading, _ table: [Property]) -> [String: Outcome] {
    var found: [String: Outcome] = [:]
    for (property, outcome) in zip(table, reading.outcomes) {
      let permitted = allow.permits(property.category)
      found[property.key] = permitted ? outcome : .permission("", remedy: "allow")
    }
    return found
  }
}

/// One claimed instance: its reader and, for an aggregate, its members' readers.
private struct Session {
  let harness: KindHarness
  let instance: Instance
  let reader: (any InstanceReader)?
  let members: [any InstanceReader]
  /// The instance's own table, where it has one.
  var properties: [Property] { instance.properties ?? harness.kind.properties }

  init?(_ harness: KindHarness, _ name: String) throws {
    let found = harness.discover().instances
    let matches = { (one: Instance) in one.name == name || one.aliases.contains(name) }
    guard let instance = found.first(where: matches) else { return nil }
    self.harness = harness
    self.instance = instance
    reader = try harness.kind.open(instance, on: harness.machine)
    members =
      instance.isAggregate
      ? try found.filter(\.isMember).compactMap {
        try harness.kind.open($0, on: harness.machine)
      } : []
  }

  func read(_ scope: ReadRequest.Scope, onto old: Reading? = nil, at boot: Int64 = 0) -> Reading {
    let request = ReadRequest(scope: scope, allow: harness.allow)
    let kind = harness.kind
    let instant = Instant(boot: boot, realtime: boot)
    var reading = old ?? Reading(properties: properties.count)
    reading.instant = instant
    reader?.read(request, into: &reading)
    guard instance.isAggregate else {
      kind.derive(&reading)
      return reading
    }
    var everything = ReadRequest(scope: .everything, allow: harness.allow)
    everything.isForAggregate = true
    let parts = members.map { member in
      var part = Reading(properties: kind.properties.count, at: instant)
      member.read(everything, into: &part)
      kind.derive(&part)
      return part
    }
    let counted = parts.indices.filter { kind.counts($0, of: parts) }.map { parts[$0] }
    kind.combine(counted, into: &reading)
    return reading
  }
}
