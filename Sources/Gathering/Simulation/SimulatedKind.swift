import Values

/// The instances of one kind of a simulated device, in listing order.
struct SimulatedKind: Sendable {
  let kind: any SourceKind
  private let properties: [Property]
  /// The tables of instances, by name, that have others than the kind.
  private let tables: [ExactText: [Property]]
  /// Natural order, without the aggregate (sources H1).
  private var members: [SimulatedInstance] = []
  /// There as long as a member is (sources H5).
  private var aggregate: SimulatedInstance?

  init(_ kind: any SourceKind, tables: [ExactText: [Property]]) {
    self.kind = kind
    self.tables = tables
    properties = kind.properties
  }

  /// The instance of a name, if it is there.
  func instance(_ name: String) -> SimulatedInstance? {
    if let aggregate, name.isSpelt(aggregate.name) { return aggregate }
    return members.first { $0.name.isSpelt(name) }
  }

  /// The revision of a member, if it is there.
  func revision(of name: String) -> UInt64? {
    for index in members.indices where members[index].name.isSpelt(name) {
      return members[index].revision
    }
    return nil
  }

  /// The list a context sees.
  var discovery: Discovery {
    var instances = members.map { member in
      Instance(
        member.name, availability: availability(of: member),
        properties: tables[ExactText(member.name)])
    }
    if let aggregate {
      instances.insert(.aggregate(availability(of: aggregate), label: kind.name), at: 0)
    }
    return Discovery(
      instances,
      orElse: .simulated(.noHardware, detail: "the simulated device has no \(kind.kind)"))
  }

  /// What an instance can do: an aggregate as much as the best of its members.
  func availability(of instance: SimulatedInstance) -> Availability {
    if let own = instance.availability { return own }
    let all = members.compactMap(\.availability)
    if all.contains(where: { $0.state == .available }) { return .simulated(.available) }
    return all.first { $0.group == .available } ?? all.first ?? .simulated(.available)
  }

  /// The smallest interval the drivers concerned allow; 0 without any.
  func floor(of instance: SimulatedInstance) -> Int64 {
    guard instance.isAggregate else { return instance.floor }
    return members.reduce(instance.floor) { max($0, $1.floor) }
  }

  /// Adds an instance in its place of the list; whether it was not there.
  mutating func add(_ name: String) -> Bool {
    if members.contains(where: { $0.name.isSpelt(name) }) { return false }
    let new = SimulatedInstance(
      name, of: kind.kind, isAggregate: false, table: tables[ExactText(name)] ?? properties)
    let place = members.firstIndex { NaturalOrder.areInIncreasingOrder(name, $0.name) }
    members.insert(new, at: place ?? members.endIndex)
    if kind.hasAggregate && aggregate == nil {
      aggregate = SimulatedInstance(
        ScriptTarget.aggregateName, of: kind.kind, isAggregate: true, table: properties)
    }
    return true
  }

  /// Removes an instance, and after the last the aggregate; whether it was there.
  mutating func remove(_ name: String) -> Bool {
    guard let index = members.firstIndex(where: { $0.name.isSpelt(name) }) else { return false }
    members.remove(at: index)
    if members.isEmpty { aggregate = nil }
    return true
  }

  /// Does what a line says to an instance; whether the instance is there.
  mutating func apply(
    _ action: ScriptAction, to target: ScriptTarget, line: Int, at moment: SimulatedTime
  ) -> Bool {
    if target.isAggregate {
      aggregate?.apply(action, line: line, at: moment)
      return aggregate != nil
    }
    guard let index = members.firstIndex(where: { $0.name.isSpelt(target.instance) }) else {
      return false
    }
    members[index].apply(action, line: line, at: moment)
    return true
  }
}
