import Gathering
import Ground
import Streams

/// The state shared by all patches of one work queue: their single first-in-first-out queue of
/// values.
///
/// The lock guards the queue and the order in which ports place values; it is never held while a
/// handler or a sink runs. One thread at a time drains, always as a job of the work queue.
final class PatchLoop: Sendable {
  /// One piece of work.
  enum Entry: Sendable {
    /// A value that has its place on its port.
    case value(Port, Sample, UInt64)
    /// The initial values of a port up to a place.
    case initialValues(Port, UInt64)
    /// A value of a stream that is no port of this loop, for the wire of that number.
    case arrival(Port, Sample, wire: UInt64)
    /// Something a patch wants to do at a time of its own.
    case action(@Sendable () -> Void)
    /// An announcement of a patch.
    case trouble(Troubles, PatchError, UInt64)
  }

  /// The outcome of placing a value.
  enum Placing: Sendable {
    case placed, unheard, closed
    /// Nothing of the loop caused it: it needs the present time.
    case untimed
    case refused(isFirst: Bool)
  }

  /// A piece of work and its cascade.
  struct Queued: SerialEntry {
    let root: UInt64
    let entry: Entry
  }

  struct State: Sendable {
    var queue = SerialQueue<Queued>(cascadeLimit: 100_000)
    /// The cascade that was last refused something.
    var refusedRoot: UInt64 = 0
    /// The sample whose delivery is running, without its payload.
    var cause: Sample?
    /// Whether the handler that is running was refused something.
    var hasRefusedHandler = false
    var isPosted = false
    var isClosed = false
    /// How many builders want nothing delivered for the moment.
    var holds = 0
    var members: [ObjectIdentifier: WeakPatch] = [:]
    var lastOrder: UInt64 = 0
  }

  let state = Lock(State(), rank: .node)
  /// Held while it is decided who keeps whom alive.
  let wiring = Lock(Wiring(), rank: .wiring)
  let teardown = Teardown()
  let clock: any Clock
  let queue: any WorkQueue
  let contextQueue: ContextQueue?
  private let ending = Lock<Connection?>(nil)

  init(queue: any WorkQueue, clock: any Clock) {
    self.queue = queue
    self.clock = clock
    contextQueue = queue as? ContextQueue
  }

  deinit { LoopRegister.forget(queue) }

  /// Whether the caller is inside something this loop delivers.
  var isInside: Bool { state.withLock { $0.queue.isInside } }

  /// Whether the context is closed.
  var isClosed: Bool { state.withLock { $0.isClosed } || contextQueue?.isClosed == true }

  /// How long a cascade may be; at least 1.
  var cascadeLimit: Int {
    get { state.withLock { $0.queue.cascadeLimit } }
    set { state.withLock { $0.queue.cascadeLimit = newValue } }
  }

  /// A number that only rises: the order in which things were made.
  func nextOrder() -> UInt64 {
    state.withLock { state in
      state.lastOrder += 1
      return state.lastOrder
    }
  }

  /// The present for samples published from outside.
  var instant: (time: Int64, realtime: Int64) {
    if let contextQueue { return contextQueue.instant }
    let now = clock.now.nanoseconds
    return (now, now)
  }

  /// Closes with its context.
  func closeWith(_ queue: ContextQueue) {
    let connection = queue.onClose { [weak self] in self?.close() }
    ending.withLock { $0 = connection }
    if connection == nil { close() }
  }

  // MARK: Placing

  /// Makes a sample the last one of a port and queues it, if the port has a listener.
  func publish(_ sample: Sample, on port: Port) -> Placing {
    let placing = place(sample, on: port)
    guard case .untimed = placing else { return placing }
    var sample = sample
    sample.stamp(instant)
    return place(sample, on: port)
  }

  private func place(_ sample: Sample, on port: Port) -> Placing {
    var sample = sample
    let (placing, former) = state.withLock { state -> (Placing, Sample?) in
      if state.isClosed { return (.closed, nil) }
      let isInside = state.queue.isInside
      if sample.isUnstamped {
        guard isInside, let cause = state.cause else { return (.untimed, nil) }
        sample.follow(cause)
      }
      sample.sequence = port.nextSequence()
      let outcome = port.core.takePlace(for: sample, isAwaited: port.isAwaited) {
        state.queue.admit(isInside: isInside) != nil
      }
      switch outcome {
      case .unheard(let former): return (.unheard, former)
      case .placed(let place, let former):
        state.append(.value(port, sample, place), isInside: isInside)
        return (.placed, former)
      case .refused:
        if isInside { state.hasRefusedHandler = true }
        let root = state.queue.currentRoot
        defer { state.refusedRoot = root }
        return (.refused(isFirst: state.refusedRoot != root), nil)
      }
    }
    withExtendedLifetime(former) {}
    return placing
  }

  /// Queues the entry that `take` returns; if it returns nil or the cascade is full, queues
  /// nothing.
  ///
  /// An entry that does not count is not part of a cascade's length.
  func append(counts: Bool = true, _ take: () -> Entry?) {
    let unwanted = state.withLock { state -> Entry? in
      guard let entry = take() else { return nil }
      let isInside = state.queue.isInside
      if state.isClosed || (counts && state.queue.admit(isInside: isInside) == nil) { return entry }
      state.append(entry, isInside: isInside)
      return nil
    }
    withExtendedLifetime(unwanted) {}
  }

  /// Records the sample with which the next handler is called.
  func setCause(_ sample: Sample) {
    state.withLock { state in
      state.cause = sample.withoutPayload
      state.hasRefusedHandler = false
    }
  }

  /// Whether the handler that has just run was refused something: its cascade is full.
  var hasRefusedHandler: Bool { state.withLock { $0.hasRefusedHandler } }

  // MARK: Delivering

  /// Delivers the queued values: now if this is the loop and no delivery is running; else later, on
  /// the loop.
  func deliver() {
    let isDue = state.withLock { state in
      !state.queue.isEmpty && !state.queue.isDraining && state.holds == 0
    }
    guard isDue else { return }
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
    state.withLock { state in
      defer { state.isPosted = true }
      return state.isPosted
    }
  }

  /// Runs `body` with nothing being delivered in between, and then delivers.
  func hold<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    state.withLock { $0.holds += 1 }
    defer {
      state.withLock { $0.holds -= 1 }
      deliver()
    }
    return try body()
  }

  /// Drops queued values, and closes all patches.
  func close() {
    let (waiting, members) = state.withLock { state in
      state.isClosed = true
      defer { state.members = [:] }
      return (state.queue.takeAll(), state.members)
    }
    for member in members.values { member.patch?.close() }
    withExtendedLifetime(waiting) {}
  }

  @discardableResult
  private func drain() -> UInt64 {
    let isMine = state.withLock { state in
      state.isPosted = false
      if state.queue.isDraining || state.queue.isEmpty { return false }
      state.queue.start()
      return true
    }
    guard isMine else { return 0 }
    var count: UInt64 = 0
    while let entry = next() {
      count += 1
      carryOut(entry)
    }
    return count
  }

  private func next() -> Entry? {
    let (entry, spent) = state.withLock { state -> (Entry?, Sample?) in
      guard state.holds == 0, let next = state.queue.next()?.entry else {
        state.queue.stop()
        return (nil, state.cause.take())
      }
      let former = state.cause.take()
      if case .value(_, let sample, _) = next { state.cause = sample.withoutPayload }
      return (next, former)
    }
    withExtendedLifetime(spent) {}
    return entry
  }

  private func carryOut(_ entry: Entry) {
    switch entry {
    case .value(let port, let sample, let place): port.deliver(sample, at: place)
    case .initialValues(let port, let place): port.core.deliverInitialValues(through: place)
    case .arrival(let port, let sample, let wire): port.arrive(sample, over: wire)
    case .action(let action): action()
    case .trouble(let troubles, let error, let place): troubles.core.deliver(error, at: place)
    }
  }
}

extension PatchLoop.State {
  mutating func append(_ entry: PatchLoop.Entry, isInside: Bool) {
    queue.append(PatchLoop.Queued(root: queue.root(isInside: isInside), entry: entry))
    _ = queue.takeNumber()
  }
}

/// A patch that is not kept.
struct WeakPatch: Sendable {
  weak var patch: Patch?
}
