import Gathering
import Ground
import Streams
import Synchronization
import Values

/// Where and when the values of the patches of one work queue are delivered.
///
/// One thread at a time delivers, always as a job of the work queue. No handler and no sink runs
/// while the lock of the values is held.
final class PatchLoop: Sendable {
  private struct State: Sendable {
    var isClosed = false
    var members: [ObjectIdentifier: WeakPatch] = [:]
    /// Tells of the end of the context.
    var ending: Connection?
  }

  /// What waits for delivery.
  let values: LoopValues
  /// Held while it is decided who keeps whom alive.
  let wiring = Lock(Wiring(), rank: .wiring)
  let teardown = Teardown()
  let clock: any Clock
  let queue: any WorkQueue
  let contextQueue: ContextQueue?
  private let state = Lock(State())
  private let lastOrder = Atomic<UInt64>(0)

  init(queue: any WorkQueue, clock: any Clock) {
    self.queue = queue
    self.clock = clock
    contextQueue = queue as? ContextQueue
    values = LoopValues(contextQueue: contextQueue, clock: clock)
  }

  deinit { LoopRegister.forget(queue) }

  /// Whether the context is closed.
  var isClosed: Bool { state.withLock { $0.isClosed } || contextQueue?.isClosed == true }

  /// How long a cascade may be; at least 1.
  var cascadeLimit: Int {
    get { values.withLock { $0.cascadeLimit } }
    set { values.withLock { $0.cascadeLimit = newValue } }
  }

  /// A number that only rises: the order in which things were made.
  func nextOrder() -> UInt64 { lastOrder.add(1, ordering: .relaxed).newValue }

  /// The present for samples published from outside.
  var instant: (time: Int64, realtime: Int64) { values.instant }

  // MARK: Its patches

  /// Takes in a patch, which is not kept; false if the context is closed.
  func enter(_ patch: Patch) -> Bool {
    state.withLock { state in
      if !state.isClosed { state.members[ObjectIdentifier(patch)] = WeakPatch(patch: patch) }
      return !state.isClosed
    }
  }

  /// Forgets a patch that is being freed.
  func leave(_ patch: ObjectIdentifier) {
    // A weak reference, which holds nothing.
    state.withLock { $0.members[patch] = nil }
  }

  /// Closes with its context.
  func closeWith(_ queue: ContextQueue) {
    let connection = queue.onClose { [weak self] in self?.close() }
    state.withLock { $0.ending = connection }
    if connection == nil { close() }
  }

  /// Drops queued values, and closes all patches.
  func close() {
    let members = state.withLock { state in
      state.isClosed = true
      defer { state.members = [:] }
      return state.members
    }
    let waiting = values.withLock { $0.close() }
    for member in members.values { member.patch?.close() }
    withExtendedLifetime(waiting) {}
  }

  // MARK: Placing

  /// Queues something that is no value of a port of this loop.
  func append(_ errand: PatchQueue.Errand) {
    let unwanted = values.withLock { $0.append(errand) }
    withExtendedLifetime(unwanted) {}
  }

  /// Queues an announcement, which is no part of a cascade's length.
  func append(_ troubles: Troubles, _ error: PatchError) {
    let unwanted = values.withLock { values in
      values.append(.trouble(troubles, error, troubles.core.takePlace()), counts: false)
    }
    withExtendedLifetime(unwanted) {}
  }

  /// Whether the handler that has just run was refused something: its cascade is full.
  var hasRefusedHandler: Bool { values.withLock { $0.hasRefusedHandler } }

  // MARK: Delivering

  /// Delivers the queued values: now if this is the loop and no delivery is running; else later, on
  /// the loop.
  func deliver() {
    guard values.withLock({ $0.isDue }) else { return }
    let isOnLoop = contextQueue?.isLoop ?? queue.isCurrent
    if !isOnLoop, isPosted() { return }
    if let contextQueue {
      contextQueue.deliver { [weak self] in self?.drain() ?? 0 }
    } else if isOnLoop {
      drain()
    } else {
      queue.submit { [weak self] in self?.drain() }
    }
  }

  /// Whether a delivery was already requested of the loop; it is requested from now on.
  private func isPosted() -> Bool {
    values.withLock { values in
      defer { values.isPosted = true }
      return values.isPosted
    }
  }

  /// Runs `body` with nothing being delivered in between, and then delivers.
  func hold<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    values.withLock { $0.holds += 1 }
    defer {
      values.withLock { $0.holds -= 1 }
      deliver()
    }
    return try body()
  }

  @discardableResult
  private func drain() -> UInt64 {
    let values = values
    guard values.withLock({ $0.start() }) else { return 0 }
    var count: UInt64 = 0
    var hop = Hop()
    while true {
      let step = values.withLock { $0.next(&hop) }
      if hop.spent != nil { hop.spent = nil }
      switch step {
      case .end: return count
      case .arrival: receive(&hop)
      case .misfit: port(of: hop)?.refuse(hop.sample.value)
      case .fanOut: fanOut(&hop)
      case .delivery: hop.core?.deliver(hop.sample, at: hop.place)
      case .errand:
        if let errand = hop.errand.take() { carryOut(errand) }
      case .nothing: break
      case .unplaced:
        report(&hop)
        continue
      }
      hop.clear()
      count += 1
    }
  }

  private func fanOut(_ hop: inout Hop) {
    let wires = hop.wires
    hop.wires = []
    let sample = hop.sample
    for wire in wires where wire.takes(hop.number) {
      hop.sample = sample
      arrive(at: wire.input, &hop)
    }
  }

  /// Receives a value that comes by a wire, on the loop.
  func arrive(at input: PortKey, _ hop: inout Hop) {
    switch values.withLock({ $0.arrive(at: input, &hop) }) {
    case .arrival: receive(&hop)
    case .misfit: port(of: hop)?.refuse(hop.sample.value)
    default: break
    }
    place(&hop)
    values.withLock { $0.putBack(&hop) }
    (hop.spent, hop.core) = (nil, nil)
  }

  /// The handler of the input receives the value, then who subscribes to it.
  private func receive(_ hop: inout Hop) {
    do {
      try hop.receiver?.receive(hop.sample, &hop.results)
    } catch {
      place(&hop)
      fail(error, hop)
    }
    guard let core = hop.core else { return }
    place(&hop)
    core.deliver(hop.sample, at: hop.place)
  }

  private func fail(_ error: any Error, _ hop: Hop) {
    if let failure = error as? HandlerFailure, failure.isRefusal, hasRefusedHandler {
      port(of: hop)?.count()
    } else {
      port(of: hop)?.fail(error)
    }
  }

  /// Places what the receiver has published.
  private func place(_ hop: inout Hop) {
    while hop.results.count > 0, !values.withLock({ $0.placeResults(of: &hop) }) { report(&hop) }
  }

  /// Reports a result that could not be placed to the receiver that it comes from.
  private func report(_ hop: inout Hop) {
    if let (result, refusal) = hop.unplaced.take() { hop.receiver?.handle(result, refusal) }
  }

  private func port(of hop: Hop) -> Port? {
    values.withLock { $0.ports.port(of: hop.input) }
  }

  private func carryOut(_ errand: PatchQueue.Errand) {
    switch errand {
    case .initialValues(let port, let place): port.core.deliverInitialValues(through: place)
    case .streamed(let port, let sample, let wire): port.arrive(sample, over: wire)
    case .action(let action): action()
    case .trouble(let troubles, let error, let place): troubles.core.deliver(error, at: place)
    }
  }
}

/// A patch that is not kept.
struct WeakPatch: Sendable {
  weak var patch: Patch?
}

/// Which loop belongs to which work queue.
///
/// A work queue that is no object has no identity: each patch made on it has a loop of its own.
enum LoopRegister {
  private struct WeakLoop: Sendable {
    weak var loop: PatchLoop?
  }

  private static let loops = Lock<[ObjectIdentifier: WeakLoop]>([:])

  /// The loop of a queue, made when it has none.
  static func loop(of queue: any WorkQueue, clock: any Clock) -> PatchLoop {
    let key = key(of: queue)
    let new = PatchLoop(queue: queue, clock: clock)
    let loop = loops.withLock { loops in
      if let loop = loops[key]?.loop { return loop }
      loops[key] = WeakLoop(loop: new)
      return new
    }
    if loop === new, let contextQueue = new.contextQueue { new.closeWith(contextQueue) }
    return loop
  }

  /// Removes a loop that is being freed, unless another has replaced it.
  static func forget(_ queue: any WorkQueue) {
    let key = key(of: queue)
    // Another queue's loop must not be released under the lock.
    let other = loops.withLock { loops in
      let other = loops[key]?.loop
      if other == nil { loops[key] = nil }
      return other
    }
    withExtendedLifetime(other) {}
  }

  private static func key(of queue: any WorkQueue) -> ObjectIdentifier {
    ObjectIdentifier(queue as AnyObject)
  }
}
