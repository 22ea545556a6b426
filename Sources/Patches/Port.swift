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
    var handler: HandlerBox?
    var wire: WireRecord?
    /// The inputs an output is wired to, by the numbers of the wires.
    var consumers: [UInt64: WeakPort] = [:]
    /// Whether the type of its patch brought it.
    var isOfType = false
    /// The value set from outside, and when the first one was.
    var constant: (order: UInt64, value: Values.Value)?
    var errorCount = 0
    /// The number of values set but not delivered yet: they are newer than values from the wire.
    var waitingCount = 0
  }

  /// A function called with each value of an input.
  typealias Handler = @Sendable (Patch, Sample) throws -> Void

  let name: String
  let direction: Direction
  let hint: PortType
  let unit: String?
  weak let patch: Patch?
  let loop: PatchLoop
  let core = PublinkCore<Sample>(makeInitialValue: { $0.asInitialValue })
  let state: Lock<State>
  private let removed = Atomic<Bool>(false)
  private let sequence = Atomic<UInt64>(0)

  init(
    _ description: PortDescription, _ direction: Direction, of patch: Patch, loop: PatchLoop,
    handler: Handler? = nil
  ) {
    name = description.name
    hint = description.hint
    unit = description.unit
    self.direction = direction
    self.patch = patch
    self.loop = loop
    state = Lock(State(handler: handler.map(HandlerBox.init)))
    core.attach(to: self)
  }

  /// Whether it is a port of its patch no more.
  var isRemoved: Bool { removed.load(ordering: .acquiring) }

  /// Whether the type of its patch brought it, and so brings it again where a document is loaded.
  var isOfType: Bool {
    get { state.withLock { $0.isOfType } }
    set { state.withLock { $0.isOfType = newValue } }
  }

  /// Whether its values are delivered also without subscribers.
  var isAwaited: Bool { direction == .input }

  func nextSequence() -> UInt64 { sequence.add(1, ordering: .relaxed).newValue }

  // MARK: The route of its publink

  /// How long a cascade on the loop may be.
  var cascadeLimit: Int {
    get { loop.cascadeLimit }
    set { loop.cascadeLimit = newValue }
  }

  /// Sets an input or publishes on an output.
  func publish(_ sample: Sample) -> Delivery {
    do throws(PatchError) {
      try give(sample)
      return loop.isInside ? .queued : .delivered
    } catch {
      return switch error {
      case .typeMismatch: .refused(.typeMismatch)
      case .cascadeLimit: .refused(.cascadeLimit)
      default: .refused(.closed)
      }
    }
  }

  func placeInitialValue(_ take: () -> UInt64?) {
    loop.append { take().map { .initialValues(self, $0) } }
  }

  func opened(_ subscription: any Closable) {
    if isRemoved { subscription.close() }
  }

  func deliver() { loop.deliver() }

  func observationChanged() {
    if direction == .output { patch?.observationChanged() }
  }

  // MARK: Values

  /// Sets the input or publishes on the output (patches L20, L21).
  func give(_ sample: Sample) throws(PatchError) {
    if isRemoved { throw loop.isClosed ? .closed : .notFound(name) }
    guard hint.takes(sample.value) else {
      let error = mismatch(sample.value)
      if direction == .input { note(error) }
      throw error
    }
    if direction == .input { willSet(sample.value) }
    switch loop.publish(sample, on: self) {
    case .placed: loop.deliver()
    case .unheard, .untimed: break
    case .closed: throw .closed
    case .refused(let isFirst):
      if direction == .input { state.withLock { $0.waitingCount -= 1 } }
      let error = PatchError.cascadeLimit(output: name)
      if isFirst { patch?.announce(error) }
      throw error
    }
  }

  /// Delivers a value that has its place: to the handler, then to who subscribes.
  func deliver(_ sample: Sample, at place: UInt64) {
    if direction == .input {
      state.withLock { $0.waitingCount -= 1 }
      handle(sample)
    }
    core.deliver(sample, at: place)
  }

  /// Takes in a value that comes by the wire, on the loop.
  func arrive(_ sample: Sample) {
    guard !isRemoved else { return }
    guard hint.takes(sample.value) else { return note(mismatch(sample.value)) }
    let isNewest = state.withLock { $0.waitingCount == 0 }
    let former = isNewest ? core.remember(sample) : nil
    withExtendedLifetime(former) {}
    handle(sample)
    if core.subscriberCount > 0 { core.deliver(sample, at: core.takePlace()) }
  }

  /// Receives a value of a stream, if the input is still wired to it.
  func arrive(_ sample: Sample, over wire: UInt64) {
    if state.withLock({ $0.wire?.order == wire }) { arrive(sample) }
  }

  private func handle(_ sample: Sample) {
    guard !isRemoved, let patch, let handler = state.withLock({ $0.handler }) else { return }
    loop.setCause(sample)
    do {
      try handler.call(patch, sample)
    } catch let failure as HandlerFailure where failure.isRefusal && loop.hasRefusedHandler {
      count()
    } catch {
      fail(error)
    }
  }

  private func willSet(_ value: Values.Value) {
    let order = loop.nextOrder()
    let former = state.withLock { state in
      let former = state.constant
      state.constant = (former?.order ?? order, value)
      state.waitingCount += 1
      return former?.value
    }
    withExtendedLifetime(former) {}
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

  private func mismatch(_ value: Values.Value) -> PatchError {
    .typeMismatch(port: name, expected: hint, given: value.typeWord)
  }

  private func count() {
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
        state.handler = nil
        state.wire = nil
        state.consumers = [:]
        state.constant = nil
      }
      return state
    }
    spent.wire?.end()
    for (order, consumer) in spent.consumers { consumer.port?.cutWire { $0.order == order } }
    core.removeAllSubscribers()
    withExtendedLifetime((spent, core.forget())) {}
  }

  func letGo() { remove() }
}

/// A port that is not kept.
struct WeakPort: Sendable {
  weak var port: Port?
}

/// A handler as something to hand out of a lock, which for a bare closure would cost an allocation.
final class HandlerBox: Sendable {
  let call: Port.Handler

  init(_ call: @escaping Port.Handler) {
    self.call = call
  }
}

/// The error a handler throws to give its failure a code of its own.
public struct HandlerFailure: Error, Sendable {
  /// The code, below 0.
  public var code: Int32
  /// The failure, as one clause.
  public var message: String
  /// Whether it only passes on that the cascade is full, which was announced where that happened.
  public var isRefusal: Bool

  /// A failure.
  public init(code: Int32, message: String, isRefusal: Bool = false) {
    self.code = code
    self.message = message
    self.isRefusal = isRefusal
  }
}
