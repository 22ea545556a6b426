import Values

/// A simulated device at one moment: what its script has made of it so far.
struct SimulatedWorld: Sendable {
  /// What availabilities call this backend.
  static let backend = "sim"

  private(set) var kinds: [SimulatedKind]
  private let opening: Int64

  /// A device that has nothing, opened at a moment of CLOCK_BOOTTIME.
  init(
    _ catalogue: [any SourceKind], tables: [ScriptTarget: [Property]], openedAt opening: Int64
  ) {
    kinds = catalogue.enumerated().map { index, kind in
      let own = tables.filter { $0.key.kind == index }
      return SimulatedKind(
        kind,
        tables: Dictionary(uniqueKeysWithValues: own.map { (ExactText($0.key.instance), $0.value) })
      )
    }
    self.opening = opening
  }

  /// The index of a kind in the catalogue.
  func index(of kind: any SourceKind) -> Int? {
    kinds.firstIndex { $0.kind.kind == kind.kind }
  }

  /// Does what lines say, in their order, and tells what is to be noticed of it: each kind and each
  /// instance once.
  mutating func apply(_ lines: some Sequence<ScriptLine>) -> [SimulatedChange] {
    var changes: [SimulatedChange] = []
    for line in lines {
      guard let change = apply(line), !changes.contains(change) else { continue }
      changes.append(change)
    }
    // Instances that came are known before their values are spoken of.
    return changes.filter(\.isOfInstances) + changes.filter { !$0.isOfInstances }
  }

  private mutating func apply(_ line: ScriptLine) -> SimulatedChange? {
    let target = line.target
    switch line.action {
    case .add:
      return kinds[target.kind].add(target.instance) ? .instances(kind: target.kind) : nil
    case .remove:
      return kinds[target.kind].remove(target.instance) ? .instances(kind: target.kind) : nil
    default:
      let isThere = kinds[target.kind].apply(
        line.action, to: target, line: line.number,
        at: SimulatedTime(opening: opening, position: line.time))
      return isThere ? line.action.change(of: target) : nil
    }
  }
}

/// What a context is to notice of a script's lines.
enum SimulatedChange: Equatable, Sendable {
  case instances(kind: Int)
  case values(kind: Int, instance: String)

  var isOfInstances: Bool {
    if case .instances = self { true } else { false }
  }

  /// The kind concerned, as an index of the catalogue.
  var kind: Int {
    switch self {
    case .instances(let kind), .values(let kind, _): kind
    }
  }

  /// The change as providers tell it.
  var notice: Change {
    switch self {
    case .instances: .instances
    case .values(_, let instance): .values(instance: instance)
    }
  }
}

extension ScriptAction {
  /// What is noticed at once; a fault and a floor show only at the next reading or start.
  fileprivate func change(of target: ScriptTarget) -> SimulatedChange? {
    switch self {
    case .add, .remove, .availability: .instances(kind: target.kind)
    case .set, .follow, .absent, .wave, .error, .clear:
      .values(kind: target.kind, instance: target.instance)
    case .fault, .floor: nil
    }
  }
}
