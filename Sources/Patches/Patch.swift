public import Gathering
public import Ground
public import Streams
import Synchronization
public import Values

/// A processing node with named inputs and outputs, which can be wired to others. Every call is
/// allowed on every thread, inside handlers too. Structure changes take effect at once; values are
/// queued for the loop.
///
/// Its guarantees (patches 2.2 to 2.6):
///
/// - **Every port is a publink** (L15): it remembers its last value and gives it to later
///   subscribers first.
/// - **A set reaches one input** (L20); a publish reaches wires and subscribers in the order they
///   were made (L21).
/// - **One wire per input** (L23): wiring it again moves it. One output feeds any number (L24).
/// - **A value that does not fit changes nothing** (L28): it is counted and reported on `errors`,
///   and so is a handler that fails (L30).
/// - **One queue per loop** (L31): handlers run one at a time and never nest, and values arrive
///   downstream in the order they were published (L32).
/// - **Cycles are allowed and bounded** (L33, L34); values carry the times of their cause (L35).
/// - **Ownership points upstream** (L36): a wired input keeps its upstream patch alive, an output
///   keeps no consumer; the wire that closes a cycle keeps nothing (L37).
/// - **Data of a handler is let go once** (L40), after its last call.
public final class Patch: Sendable {
  /// A function called with each value of an input, on the loop.
  public typealias Handler = @Sendable (_ patch: Patch, _ sample: Sample) throws -> Void

  struct State: Sendable {
    var inputs: [Port] = []
    var outputs: [Port] = []
    /// The inputs wired to ports it offers, by the numbers of the wires.
    var lentWires: [UInt64: WeakPort] = [:]
    /// The content of a graph; nil for other patches.
    var graph: GraphContent?
    var name = ""
    var parent = WeakPatch()
    /// The catalogue that made it; nil for a patch made without a type.
    weak var catalogue: (any PatchTypes)?
    /// Called when outputs gain or lose subscribers.
    var observer: (@Sendable (Patch) -> Void)?
    var isClosed = false
    /// The object that stands for it in a layer above.
    weak var companion: (any AnyObject & Sendable)?
  }

  /// The type in the catalogue; nil for one made by hand.
  public let type: String?
  /// The options it was made with, as they were given.
  public let options: ValueDictionary
  let loop: PatchLoop
  let state = Lock(State())
  private let troubles: Troubles
  private let errorTotal = Atomic<Int>(0)
  private static let living = Atomic<Int>(0)

  /// The number of patches in this process, whatever holds references to them: for leak tests.
  public static var livingCount: Int { living.load(ordering: .relaxed) }

  /// Makes an empty patch on the loop of a work queue; patches on one queue share it.
  public convenience init(on queue: any WorkQueue, clock: any Clock) {
    self.init(type: nil, options: [:], on: LoopRegister.loop(of: queue, clock: clock))
  }

  /// Makes an empty patch on the loop of a context.
  public convenience init(in context: Context) {
    self.init(on: context.queue, clock: context.queue)
  }

  init(type: String?, options: ValueDictionary, on loop: PatchLoop) {
    self.type = type
    self.options = options
    self.loop = loop
    troubles = Troubles(loop: loop)
    Self.living.add(1, ordering: .relaxed)
    if !loop.enter(self) { close() }
  }

  deinit {
    LockRank.expectNoLock("lets go of a patch")
    loop.leave(ObjectIdentifier(self))
    let spent = state.withLock { state -> [any Spent] in
      defer { (state.inputs, state.outputs, state.graph) = ([], [], nil) }
      let ports: [any Spent] = state.inputs + state.outputs
      return ports + (state.graph.map { [SpentGraph($0)] } ?? [])
    }
    loop.teardown.letGo(spent)
    Self.living.subtract(1, ordering: .relaxed)
  }

  /// The object that represents this patch in a higher layer: made on first use, and again after
  /// its last reference was released. This patch refers to it weakly.
  package func companion<Companion: AnyObject & Sendable>(
    _ make: () -> Companion
  ) -> Companion {
    if let known = state.withLock({ $0.companion as? Companion }) { return known }
    let new = make()
    return state.withLock { state in
      if let known = state.companion as? Companion { return known }
      state.companion = new
      return new
    }
  }

  /// Its name in the graph it is in; empty outside.
  public var name: String { state.withLock { $0.name } }

  /// Whether its context is closed.
  public var isClosed: Bool { loop.isClosed }

  // MARK: Its description

  /// A description of the patch, as C and Python get it: `{type, name, inputs: [{name, hint, wired,
  /// feedback, errors}], outputs: [{name, hint}], children: [{name, type}]}`.
  public var info: ValueDictionary {
    let inputs = ports(.input).map { name, port -> Value in
      let (wire, errors) = port.state.withLock { ($0.wire, $0.errorCount) }
      let isWired = wire?.isAlive == true
      return .dictionary([
        "name": .string(name), "hint": .string(port.hint.rawValue), "wired": .bool(isWired),
        "feedback": .bool(isWired && wire?.isFeedback == true), "errors": .int(Int64(errors)),
      ])
    }
    let outputs = ports(.output).map { name, port in
      Value.dictionary(["name": .string(name), "hint": .string(port.hint.rawValue)])
    }
    let children = (graph?.content.children.all ?? []).map { child in
      Value.dictionary([
        "name": .string(child.name), "type": .string(child.patch.type ?? ""),
      ])
    }
    return [
      "type": .string(type ?? ""), "name": .string(name), "inputs": .list(inputs),
      "outputs": .list(outputs), "children": .list(children),
    ]
  }

  // MARK: Errors

  /// The failures in it: each event once, on the loop.
  public var errors: any ValueStream<PatchError> {
    Publink(core: troubles.core, route: troubles, keeper: self)
  }

  /// How many values did not fit or made a handler fail, at one input or altogether; 0 for an
  /// unknown input.
  public func errorCount(_ input: String? = nil) -> Int {
    guard let input else { return errorTotal.load(ordering: .relaxed) }
    return (try? port(input, .input))?.errorCount ?? 0
  }

  /// Sends an event on `errors`.
  public func announce(_ error: PatchError) { troubles.publish(error) }

  /// Counts and announces a failure of an input's handler that occurred after it returned (L30).
  func fail(_ error: any Error, at input: String) {
    (try? port(input, .input))?.fail(error)
  }

  func countError() { errorTotal.add(1, ordering: .relaxed) }

  // MARK: Who listens

  /// Whether any output is wired or subscribed.
  public var isObserved: Bool {
    let outputs = state.withLock { $0.outputs }
    return outputs.contains { $0.core.subscriberCount > 0 }
  }

  /// Calls `observer` whenever outputs gain or lose subscribers, on the thread that causes it.
  func observe(with observer: @escaping @Sendable (Patch) -> Void) {
    let (former, isClosed) = state.withLock { state in
      defer { state.observer = state.isClosed ? nil : observer }
      return (state.observer, state.isClosed)
    }
    withExtendedLifetime(former) {}
    if isClosed { return }
    observer(self)
  }

  func observationChanged() {
    let observer = state.withLock { $0.observer }
    observer?(self)
  }

  // MARK: Its end

  /// Removes wires, handlers and subscribers because the context is closed.
  func close() {
    let spent = state.withLock { state in
      defer {
        state.inputs = []
        state.outputs = []
        state.observer = nil
        if state.graph != nil { state.graph = GraphContent() }
        state.isClosed = true
      }
      return state
    }
    for port in spent.inputs + spent.outputs { port.remove() }
    troubles.core.removeAllSubscribers()
  }
}
