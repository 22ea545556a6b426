import Gathering
public import Ground
import Streams
public import Values

/// The named types of patches.
///
/// A context has one; every call is allowed on every thread.
public final class PatchCatalogue: PatchTypes {
  /// Adds ports to an empty patch, by options; throws if no patch can be made.
  public typealias Maker = @Sendable (_ patch: Patch, _ options: ValueDictionary) throws -> Void

  /// The library's own types.
  private let builtIn: [any PatchBlueprint]
  private let registered = Lock<[any PatchBlueprint]>([])
  /// The kinds of sources there are.
  let sourceKinds: [any SourceKind]
  private let owner: Lock<Owner>

  private struct Owner: Sendable {
    weak var context: Context?
    /// Keeps the queue of trials.
    var trial: PatchLoop?
  }

  /// A catalogue of the types of a library, for one context or for none.
  init(_ builtIn: [any PatchBlueprint], of context: Context? = nil) {
    self.builtIn = builtIn
    sourceKinds = context?.catalogue ?? []
    owner = Lock(Owner(context: context))
  }

  /// The names of all types, the library's first, graphs included.
  public var types: [String] { blueprints.map(\.type) + [Graph.type] }

  /// Registers a type of a maker, which adds ports to an empty patch.
  ///
  /// Throws `exists` for a taken name and `badName` for one that cannot be a child's.
  public func register(
    _ type: String, summary: String = "", _ make: @escaping Maker
  ) throws(PatchError) {
    try register(MakerBlueprint(type: type, summary: summary, make: make))
  }

  /// Registers a kind.
  public func register(_ kind: any (PatchKind & SendableMetatype).Type) throws(PatchError) {
    try register(KindBlueprint(kind: kind))
  }

  /// Registers a way of making patches.
  public func register(_ blueprint: any PatchBlueprint) throws(PatchError) {
    let type = blueprint.type
    guard type.isChildName else { throw .badName(type) }
    let isTaken = type == Graph.type || builtIn.contains { $0.type.isSpelt(type) }
    let isNew = registered.withLock { registered in
      if isTaken || registered.contains(where: { $0.type.isSpelt(type) }) { return false }
      registered.append(blueprint)
      return true
    }
    if !isNew { throw .exists("the type \(type)") }
  }

  /// Makes a patch of a type; lowerCamel is taken for snake_case. The type `graph` gives an empty
  /// graph.
  ///
  /// Throws `notFound` for an unknown type and `badOption`.
  public func make(
    _ type: String, options: ValueDictionary = [:], on queue: any WorkQueue, clock: any Clock
  ) throws(PatchError) -> Patch {
    try make(type, options: options, on: LoopRegister.loop(of: queue, clock: clock))
  }

  /// All types as C and Python get them: a list of `{type, summary, inputs, outputs, options}`.
  public var description: [Value] {
    let graph = ValueDictionary([
      ("type", .string(Graph.type)), ("summary", .string("A patch made of patches.")),
      ("inputs", .list([])), ("outputs", .list([])), ("options", .list([])),
    ])
    return blueprints.map { .dictionary($0.dictionary) } + [.dictionary(graph)]
  }

  // MARK: Below

  var blueprints: [any PatchBlueprint] {
    builtIn + registered.withLock { $0 }
  }

  func blueprint(of type: String) -> (any PatchBlueprint)? {
    let all = blueprints
    return all.first { $0.type.isSpelt(type) }
      ?? type.snakeCase.flatMap { snake in all.first { $0.type.isSpelt(snake) } }
  }

  func ports(of type: String, options: ValueDictionary) -> PortList? {
    try? blueprint(of: type)?.ports(for: options, in: self)
  }

  func make(
    _ type: String, options: ValueDictionary, on loop: PatchLoop
  ) throws(PatchError) -> Patch {
    if loop.isClosed { throw .closed }
    if type == Graph.type {
      guard let key = options.keys.first else { return Graph(on: loop).patch }
      throw .badOption(key, reason: "a graph has no options")
    }
    guard let blueprint = blueprint(of: type) else { throw .notFound(type) }
    let patch = Patch(type: blueprint.type, options: options, on: loop)
    try blueprint.build(patch, options: options, in: self)
    patch.state.withLock { $0.catalogue = self }
    for (_, port) in patch.ports(.input) + patch.ports(.output) { port.isOfType = true }
    return patch
  }

  /// The context it belongs to, while that lives.
  var context: Context? { owner.withLock { $0.context } }

  /// Where makers are tried.
  var trialLoop: PatchLoop? {
    if let queue = context?.queue { return LoopRegister.loop(of: queue, clock: queue) }
    let new = PatchLoop(queue: StillQueue(), clock: StillClock())
    return owner.withLock { owner in
      if owner.trial == nil { owner.trial = new }
      return owner.trial
    }
  }
}

/// A queue on which nothing ever runs: for patches that are only looked at.
private final class StillQueue: WorkQueue {
  var isCurrent: Bool { false }
  func submit(_ job: @escaping @Sendable () -> Void) {}
}

/// A clock that stands still, for the same.
private struct StillClock: Clock {
  var now: Moment { Moment(nanoseconds: 0) }
  func schedule(
    at moment: Moment, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    NeverDue()
  }
}

/// An action of a clock that stands still.
private struct NeverDue: Cancellable {
  func cancel() {}
}

extension PatchBlueprint {
  /// Its row in the catalogue; unknown members are left out.
  fileprivate var dictionary: ValueDictionary {
    var row: ValueDictionary = ["type": .string(type), "summary": .string(summary)]
    if let inputs { row["inputs"] = .list(inputs.map { .dictionary($0.dictionary) }) }
    if let outputs { row["outputs"] = .list(outputs.map { .dictionary($0.dictionary) }) }
    if let options { row["options"] = .list(options.map { .dictionary($0.optionDictionary) }) }
    return row
  }
}

extension PortDescription {
  /// `{name, hint, unit?}`.
  fileprivate var dictionary: ValueDictionary {
    var row: ValueDictionary = ["name": .string(name), "hint": .string(hint.rawValue)]
    if let unit { row["unit"] = .string(unit) }
    return row
  }

  /// The same with `{default?, fixed}`.
  fileprivate var optionDictionary: ValueDictionary {
    var row = dictionary
    if let standard { row["default"] = standard }
    row["fixed"] = .bool(isFixed)
    return row
  }
}
