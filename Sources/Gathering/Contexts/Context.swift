public import Ground
import Values

/// A machine and an event loop; all sources belong to one (sources 2).
///
/// Every call may be made from any thread and inside any callback, except that a context cannot be
/// closed inside one of its own callbacks.
public final class Context: Sendable {
  /// Where callbacks run (sources T3).
  public enum Mode: Sendable {
    /// On a delivery thread of the library.
    case thread
    /// On the thread that calls `dispatch`, after `descriptor` became readable.
    case host
  }

  /// The URI it was opened by.
  public let uri: String
  /// Where its callbacks run.
  public let mode: Mode
  /// Whether queued work runs without the host's help: not in host mode, and not with a clock that
  /// stands still until a caller moves it.
  package var goesOnByItself: Bool { mode != .host && virtualLoop == nil }
  /// The kinds of the context, in catalogue order.
  public let catalogue: [any SourceKind]

  let core: Monitor<CoreState>
  let life: ContextLife
  let dispatcher: Dispatcher
  let loop: any Loop
  /// The clock of the loop.
  let clock: any TimeSource
  let virtualLoop: VirtualLoop?
  let eventLoop: EventLoop?
  let pacer: ReplayPacer?
  let provider: any InstanceProvider
  /// One look at the machine at a time, counted: a slower one must not overwrite a newer one.
  let discovery = Monitor<UInt64>(0, rank: .discovery)
  /// In a forked child none of it may be used.
  var fork: ForkGuard { life.fork }
  /// Attached objects of higher layers: one of each type, and actions for the end.
  let attachments = Monitor(ContextAttachments())
  private let deliveryThread = Lock(DeliveryThread.none)

  /// The thread of `Mode.thread`, which is made for the first delivery.
  private enum DeliveryThread: Sendable {
    case none, over
    case running(WorkerThread)
  }

  init(
    uri: String, mode: Mode, catalogue: [any SourceKind], allowance: Allowance,
    parts: ContextParts
  ) throws(SourceError) {
    self.uri = uri
    self.mode = mode
    self.catalogue = catalogue
    loop = parts.loop
    clock = parts.loop.clock
    virtualLoop = parts.virtualLoop
    eventLoop = parts.eventLoop
    pacer = parts.pacer
    provider = parts.provider
    let hosts = catalogue.compactMap { kind in
      parts.provider.host(of: kind).map { (ExactText(kind.kind), DeviceName.host($0)) }
    }
    core = Monitor(
      CoreState(
        kinds: catalogue, allowance: allowance, isHostMode: mode == .host,
        device: parts.device, hosts: Dictionary(hosts, uniquingKeysWith: { first, _ in first }),
        isRemote: parts.provider.isRemote,
        keepsValuesOfAbsent: parts.provider.keepsValuesOfAbsent),
      rank: .context)
    do {
      dispatcher = try Dispatcher(
        hostMode: mode == .host, partner: mode == .thread ? parts.eventLoop?.partner : nil)
    } catch {
      parts.eventLoop?.stop()
      throw .io(errno: error.code, place: error.place)
    }
    life = ContextLife(dispatcher, clock: parts.loop.clock)
    if mode == .thread {
      dispatcher.onFirstJob { [weak self] in self?.startDelivering() ?? true }
    }
    dispatcher.serve(self)
    core.withLock { $0.ticks.onTimer = { [weak self] in self?.fire() } }
    try startPacing()
  }

  deinit {
    LockRank.expectNoLock("lets go of a context")
    if !fork.isForked { shutDown() }
  }

  /// The personal categories it shows.
  package var allowance: Allowance { core.withLock { $0.allowance } }

  /// The clock samples carry.
  package var timeSource: any TimeSource { clock }

  /// The present instant on the clock samples carry.
  public var now: Instant { life.now }

  /// Whether the calling thread is inside a callback of this context.
  public var isCurrent: Bool { dispatcher.isCurrent }

  /// Whether it was closed.
  public var isClosed: Bool { life.isClosed }

  /// Refuses calls in a fork's child and after `close` (sources C6, T8).
  func check() throws(SourceError) { try life.check() }

  /// Stops all its sources (each running one delivers `stopped`), ends all listeners and returns
  /// when no callback runs (sources C6). Idempotent.
  public func close() throws(SourceError) {
    if fork.isForked { throw .forked }
    if dispatcher.isCurrent {
      throw .wrongThread("a context cannot be closed inside one of its own callbacks")
    }
    let deliveries = core.withLock { state -> [SessionDelivery]? in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      life.end()
      return state.sessions.keys.sorted().compactMap { state.stopForClose($0) }
    }
    guard let deliveries else { return dispatcher.awaitClosed() }
    var last: UInt64 = 0
    for delivery in deliveries { last = cause(delivery) }
    dispatcher.settle(through: last)
    shutDown()
  }

  private func shutDown() {
    let (listeners, watches, timers) = core.withLock { state in
      state.isClosed = true
      life.end()
      return state.takeEverythingThatLives()
    }
    for timer in timers + watches { timer.cancel() }
    for listener in listeners { dispatcher.end(listener) }
    pacer?.stop()
    eventLoop?.stop()
    dispatcher.close()
    let thread = deliveryThread.withLock { thread in
      defer { thread = .over }
      return thread
    }
    if case .running(let thread) = thread {
      // Inside a callback of another context it is not waited for: it may be inside one that
      // closes that context.
      dispatcher.isLoopThread || CallbackDepth.isInside ? thread.detach() : thread.join()
    }
    let (ends, attached) = attachments.withLock { $0.takeAll() }
    for end in ends { end() }
    withExtendedLifetime(attached) {}
    // Objects held by sessions may call back when they are released: outside the lock.
    let dropped = core.withLock { $0.dropEverything() }
    for list in dropped.lists { dispatcher.retire(list) }
    withExtendedLifetime(dropped) {}
    dispatcher.markClosed()
  }

  /// Makes the delivery thread; false if the system has no thread left.
  private func startDelivering() -> Bool {
    let dispatcher = dispatcher
    guard
      let thread = try? WorkerThread(named: "gkit-deliver", { dispatcher.runUntilClosed() })
    else { return false }
    // One that was made while the context closed ends by itself.
    let isLate = deliveryThread.withLock { state in
      if case .over = state { return true }
      state = .running(thread)
      return false
    }
    if isLate { thread.detach() }
    return true
  }
}
