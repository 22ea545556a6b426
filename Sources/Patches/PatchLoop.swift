import Gathering
import Ground
import Streams
import Synchronization

/// What all patches of one work queue share: their one first-in-first-out queue of values.
///
/// The lock guards the queue and the order in which ports place values; it is never held while a
/// handler or a sink runs. One thread at a time drains, always as a job of the work queue.
final class PatchLoop: Sendable {
  /// One piece of work.
  enum Entry: Sendable {
    /// A value that has its place on its port.
    case value(Port, Sample, UInt64)
    /// The greetings of a port up to a place.
    case greeting(Port, UInt64)
    /// A value of a stream that is no port of this loop, for the wire of that number.
    case arrival(Port, Sample, wire: UInt64)
    /// Something a patch wants to do at a time of its own.
    case action(@Sendable () -> Void)
    /// An announcement of a patch.
    case trouble(Troubles, PatchError, UInt64)
  }

  /// What became of a value.
  enum Placing: Sendable {
    case placed, unheard, closed
    /// Nothing of the loop caused it: it needs the present time.
    case untimed
    case refused(isFirst: Bool)
  }

  struct State: Sendable {
    var entries = FIFO<(entry: Entry, root: UInt64)>()
    var cascades = Cascades(limit: 100_000)
    var root: UInt64 = 0
    var lastRoot: UInt64 = 0
    /// The cascade that was last refused something.
    var refusedRoot: UInt64 = 0
    /// The sample whose delivery is running, without its payload.
    var cause: Sample?
    /// Whether the handler that is running was refused something.
    var hasRefusedHandler = false
    var isDraining = false
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
  /// The thread that drains, or 0.
  private let drainer = Atomic<UInt>(0)

  init(queue: any WorkQueue, clock: any Clock) {
    self.queue = queue
    self.clock = clock
    contextQueue = queue as? ContextQueue
  }

  deinit { LoopRegister.forget(queue) }

  /// Whether the caller is inside something this loop delivers.
  var isInside: Bool { drainer.load(ordering: .relaxed) == CurrentThread.identity }

  /// Whether the context is closed.
  var isClosed: Bool { state.withLock { $0.isClosed } || contextQueue?.isClosed == true }

  /// How long a cascade may be; at least 1.
  var cascadeLimit: Int {
    get { state.withLock { $0.cascades.limit } }
    set { state.withLock { $0.cascades.limit = newValue } }
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
    let isInside = isInside
    var sample = sample
    if !isInside, sample.isUnstamped { sample.stamp(instant) }
    let placing = place(sample, on: port, isInside: isInside)
    guard case .untimed = placing else { return placing }
    sample.stamp(instant)
    return place(sample, on: port, isInside: isInside)
  }

  private func place(_ sample: Sample, on port: Port, isInside: Bool) -> Placing {
    var sample = sample
    let (placing, former) = state.withLock { state -> (Placing, Sample?) in
      if state.isClosed { return (.closed, nil) }
      if sample.isUnstamped {
        guard let cause = state.cause else { return (.untimed, nil) }
        sample.follow(cause)
      }
      sample.sequence = port.nextSequence()
      let outcome = port.core.takePlace(for: sample, isAwaited: port.isAwaited) {
        state.admit(isInside: isInside) != nil
      }
      switch outcome {
      case .unheard(let former): return (.unheard, former)
      case .placed(let place, let former):
        state.append(.value(port, sample, place), isInside: isInside)
        return (.placed, former)
      case .refused:
        if isInside { state.hasRefusedHandler = true }
        defer { state.refusedRoot = state.root }
        return (.refused(isFirst: state.refusedRoot != state.root), nil)
      }
    }
    withExtendedLifetime(former) {}
    return placing
  }

  /// Queues what `take` has given a place; nil of it, or a cascade that is full, queues nothing.
  ///
  /// What does not count is no part of a cascade's length.
  func append(counts: Bool = true, _ take: () -> Entry?) {
    let isInside = isInside
    let unwanted = state.withLock { state -> Entry? in
      guard let entry = take() else { return nil }
      if state.isClosed || (counts && state.admit(isInside: isInside) == nil) { return entry }
      state.append(entry, isInside: isInside)
      return nil
    }
    withExtendedLifetime(unwanted) {}
  }

  /// Notes what the handler that is about to run is called with.
  func setCause(_ sample: Sample) {
    state.withLock { state in
      state.cause = sample.withoutPayload
      state.hasRefusedHandler = false
    }
  }

  /// Whether the handler that has just run was refused something: its cascade is full.
  var hasRefusedHandler: Bool { state.withLock { $0.hasRefusedHandler } }

  // MARK: Delivering

  /// Delivers what waits: here and now on the loop, unless it is being delivered already; else on
  /// the loop, later.
  func deliver() {
    if isInside { return }
    let isOnLoop = contextQueue?.isLoop ?? queue.isCurrent
    let mustRun = state.withLock { state in
      if state.entries.isEmpty || state.isDraining || state.holds > 0 { return false }
      if isOnLoop { return true }
      defer { state.isPosted = true }
      return !state.isPosted
    }
    guard mustRun else { return }
    if let contextQueue {
      contextQueue.deliver { [weak self] in self?.drain() ?? 0 }
    } else if isOnLoop {
      drain()
    } else {
      queue.submit { [weak self] in self?.drain() }
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

  /// Drops what waits, and lets go of all that its patches hold.
  func close() {
    let (entries, members) = state.withLock { state in
      state.isClosed = true
      defer {
        state.entries = FIFO()
        state.members = [:]
      }
      return (state.entries, state.members)
    }
    for member in members.values { member.patch?.close() }
    withExtendedLifetime(entries) {}
  }

  @discardableResult
  private func drain() -> UInt64 {
    let isMine = state.withLock { state in
      state.isPosted = false
      if state.isDraining || state.entries.isEmpty { return false }
      state.isDraining = true
      state.cascades.forgetAll()
      return true
    }
    guard isMine else { return 0 }
    drainer.store(CurrentThread.identity, ordering: .relaxed)
    var count: UInt64 = 0
    while let entry = next() {
      count += 1
      carryOut(entry)
    }
    return count
  }

  private func next() -> Entry? {
    let (entry, spent) = state.withLock { state -> (Entry?, Sample?) in
      guard state.holds == 0, let next = state.entries.popFirst() else {
        state.isDraining = false
        drainer.store(0, ordering: .relaxed)
        return (nil, state.cause.take())
      }
      state.root = next.root
      let former = state.cause.take()
      if case .value(_, let sample, _) = next.entry { state.cause = sample.withoutPayload }
      return (next.entry, former)
    }
    withExtendedLifetime(spent) {}
    return entry
  }

  private func carryOut(_ entry: Entry) {
    switch entry {
    case .value(let port, let sample, let place): port.deliver(sample, at: place)
    case .greeting(let port, let place): port.core.greet(through: place)
    case .arrival(let port, let sample, let wire): port.arrive(sample, over: wire)
    case .action(let action): action()
    case .trouble(let troubles, let error, let place): troubles.core.deliver(error, at: place)
    }
  }
}

extension PatchLoop.State {
  /// The cascade of what is published now; nil when that is full.
  mutating func admit(isInside: Bool) -> UInt64? {
    guard isInside else { return 0 }
    if cascades.needsPurge {
      var roots: Set<UInt64> = [root]
      entries.forEach { roots.insert($0.root) }
      cascades.keepOnly(roots)
    }
    return cascades.grow(root) ? root : nil
  }

  mutating func append(_ entry: PatchLoop.Entry, isInside: Bool) {
    lastRoot += isInside ? 0 : 1
    entries.append((entry, isInside ? root : lastRoot))
  }
}

/// A patch that is not kept.
struct WeakPatch: Sendable {
  weak var patch: Patch?
}
