import Gathering
import Ground
import Streams
import Synchronization
import Values

/// One input or output of a patch: a publink whose deliveries go through the queue of the loop.
final class Port: PublinkRoute, Spent {
  typealias Value = Sample

  enum Direction: Sendable {
    case input, output
  }

  struct State: Sendable {
    var wire: WireRecord?
    /// The inputs an output is wired to, by the numbers of the wires.
    var consumers: [UInt64: WeakPort] = [:]
    /// Whether the type of its patch brought it.
    var isOfType = false
    /// The value set from outside, and when the first one was.
    var constant: (order: UInt64, value: Values.Value)?
    var errorCount = 0
  }

  let name: String
  let direction: Direction
  let hint: PortType
  let unit: String?
  weak let patch: Patch?
  let loop: PatchLoop
  /// Which it is among the ports of the loop.
  let key: PortKey
  /// Its subscribers.
  let core = PublinkCore<Sample>()
  let state = Lock(State())
  private let removed = Atomic<Bool>(false)

  init(
    _ description: PortDescription, _ direction: Direction, of patch: Patch, loop: PatchLoop,
    receiver: (any InputReceiver)? = nil
  ) {
    name = description.name
    hint = description.hint
    unit = description.unit
    self.direction = direction
    self.patch = patch
    self.loop = loop
    let record = PortRecord(
      isInput: direction == .input, hint: hint, core: core, receiver: receiver)
    key = loop.values.withLock { $0.ports.add(record) }
    loop.values.withLock { $0.ports.attach(self) }
    core.attach(to: self)
  }

  deinit {
    LockRank.expectNoLock("lets go of a port")
    let spent = loop.values.withLock { $0.ports.remove(key) }
    withExtendedLifetime(spent) {}
  }

  /// Whether it is a port of its patch no more.
  var isRemoved: Bool { removed.load(ordering: .acquiring) }

  /// Whether the type of its patch brought it, and so brings it again where a document is loaded.
  var isOfType: Bool {
    get { state.withLock { $0.isOfType } }
    set { state.withLock { $0.isOfType = newValue } }
  }

  // MARK: The route of its publink

  /// How long a cascade on the loop may be.
  var cascadeLimit: Int {
    get { loop.cascadeLimit }
    set { loop.cascadeLimit = newValue }
  }

  /// Sets an input or publishes on an output.
  func publish(_ sample: Sample) -> Delivery {
    do throws(PatchError) {
      return try give(sample)
    } catch {
      return switch error {
      case .typeMismatch: .refused(.typeMismatch)
      case .cascadeLimit: .refused(.cascadeLimit)
      default: .refused(.closed)
      }
    }
  }

  /// The last value; nil while there is none.
  var last: Sample? { loop.values.withLock { $0.ports.last(of: key) } }

  /// Makes a sample the last value without delivering it.
  func remember(_ sample: Sample) {
    loop.values.withLock { $0.ports.remember(sample, on: key) }
  }

  func placeInitialValue(_ take: (Sample?) -> UInt64?) {
    loop.values.withLock { $0.placeInitialValue(of: self) { value, _ in take(value) } }
  }

  func opened(_ subscription: any Closable) {
    if isRemoved { subscription.close() }
  }

  func deliver() { loop.deliver() }

  func observationChanged() {
    loop.values.withLock { $0.ports.countSubscribers(of: key) }
    if direction == .output { patch?.observationChanged() }
  }

  // MARK: Values

  /// Sets the input or publishes on the output (patches L20, L21).
  @discardableResult
  func give(_ sample: Sample) throws(PatchError) -> Delivery {
    if isRemoved { throw loop.isClosed ? .closed : .notFound(name) }
    guard hint.takes(sample.value) else {
      let error = mismatch(sample.value)
      if direction == .input { note(error) }
      throw error
    }
    if direction == .input { willSet(sample.value) }
    var sample = sample
    switch loop.values.publish(&sample, on: key) {
    case .placed(isInside: true): return .queued
    case .placed(isInside: false): loop.deliver()
    case .unheard, .untimed: break
    case .closed: throw .closed
    case .refused(let isFirst):
      if direction == .input { loop.values.withLock { $0.ports.countWaiting(-1, on: key) } }
      let error = PatchError.cascadeLimit(output: name)
      if isFirst { patch?.announce(error) }
      throw error
    }
    return .delivered
  }

  /// Receives a value that comes by a wire, on the loop.
  func arrive(_ sample: Sample) {
    var hop = Hop()
    hop.sample = sample
    loop.arrive(at: key, &hop)
  }

  /// Receives a value of a stream, if the input is still wired to it.
  func arrive(_ sample: Sample, over wire: UInt64) {
    if state.withLock({ $0.wire?.order == wire }) { arrive(sample) }
  }

  private func willSet(_ value: Values.Value) {
    let order = loop.nextOrder()
    let former = state.withLock { state in
      let former = state.constant
      state.constant = (former?.order ?? order, value)
      return former?.value
    }
    withExtendedLifetime(former) {}
    loop.values.withLock { $0.ports.countWaiting(1, on: key) }
  }

  // MARK: Errors

  var errorCount: Int { state.withLock { $0.errorCount } }

  /// Counts and announces a failure of its handler, even later and on another thread (L30).
  func fail(_ error: any Error) {
    switch error {
    // It has been announced where it happened.
    case PatchError.cascadeLimit: count()
    case let error as PatchError: note(error)
    case let failure as HandlerFailure:
      note(.handlerFailed(port: name, code: failure.code, message: failure.message))
    default: note(.handlerFailed(port: name, code: 0, message: String(describing: error)))
    }
  }

  /// Counts and announces a value that does not fit.
  func refuse(_ value: Values.Value) { note(mismatch(value)) }

  private func mismatch(_ value: Values.Value) -> PatchError {
    .typeMismatch(port: name, expected: hint, given: value.typeWord)
  }

  /// Counts a failure that was announced where it happened.
  func count() {
    state.withLock { $0.errorCount += 1 }
    patch?.countError()
  }

  private func note(_ error: PatchError) {
    count()
    patch?.announce(error)
  }

  // MARK: Its end

  /// Removes the port: its wire, subscribers, handler and last value are released.
  func remove() {
    removed.store(true, ordering: .releasing)
    let spent = state.withLock { state in
      defer {
        state.wire = nil
        state.consumers = [:]
        state.constant = nil
      }
      return state
    }
    spent.wire?.end()
    for (order, consumer) in spent.consumers { consumer.port?.cutWire { $0.order == order } }
    let record = loop.values.withLock { $0.ports.clear(key) }
    core.removeAllSubscribers()
    withExtendedLifetime((spent, record)) {}
  }

  func letGo() { remove() }
}

/// A port that is not kept.
struct WeakPort: Sendable {
  weak var port: Port?
}

/// A wire that was made.
public struct Wire: Equatable, Sendable {
  /// The output it comes from; empty for a stream that is no output of a patch.
  public let output: String
  /// The input it leads to.
  public let input: String
  /// Whether it closes a cycle, and so does not keep its upstream alive.
  public let isFeedback: Bool
}

/// The record of a wire at its input.
struct WireRecord: Sendable {
  /// Numbers wires in the order they are made.
  let order: UInt64
  /// The output, by its name at its origin; empty for a stream.
  let output: String
  /// The port of the output, which records the wire too; nil for a stream.
  let source: Port?
  /// Kept unless the wire is a feedback wire.
  private(set) var upstream: Patch?
  /// The same patch in either case; nil for a stream.
  let origin: WeakPatch
  /// Whether it comes from an output of a patch on this loop.
  let isPatchWire: Bool
  /// Whether it closes a cycle.
  private(set) var isFeedback: Bool
  /// The graph, and the name there, through which the input was wired.
  var via: (graph: WeakPatch, name: String)?
  /// Nil while the wire is being made.
  var connection: Connection?

  /// The patch of the input as the caller sees it: its own patch, or a graph that offers it.
  func owner(at input: Port) -> Patch? { via?.graph.patch ?? input.patch }

  /// Makes it a feedback wire; the caller releases the upstream patch.
  mutating func loosen() -> Patch? {
    isFeedback = true
    return upstream.take()
  }

  /// Ends the wire after its input has removed it: no value passes over it, and its output removes
  /// it.
  func end() {
    source?.unwire(order)
    connection?.disconnect()
    // A consumer is a weak reference, which holds nothing.
    source?.state.withLock { $0.consumers[order] = nil }
    guard let origin = origin.patch, origin !== source?.patch else { return }
    // A lent wire holds nothing, either.
    origin.state.withLock { $0.lentWires[order] = nil }
  }

  /// Whether values may still come.
  var isAlive: Bool { !isPatchWire || origin.patch != nil }
}
