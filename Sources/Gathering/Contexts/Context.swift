public import Machine

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
  /// The kinds it knows, in catalogue order.
  public let catalogue: [any SourceKind]

  let core: Monitor<CoreState>
  let dispatcher: Dispatcher
  let loop: any Loop
  let virtualLoop: VirtualLoop?
  let eventLoop: EventLoop?
  let provider: any InstanceProvider
  /// One look at the machine at a time: a slower one must not overwrite a newer one.
  let discovery = Monitor<Void>(())
  private let deliveryThread = Monitor<WorkerThread?>(nil)

  init(
    uri: String, mode: Mode, catalogue: [any SourceKind], allowance: Allowance,
    parts: ContextParts
  ) throws(SourceError) {
    self.uri = uri
    self.mode = mode
    self.catalogue = catalogue
    loop = parts.loop
    virtualLoop = parts.virtualLoop
    eventLoop = parts.eventLoop
    provider = parts.provider
    core = Monitor(CoreState(kinds: catalogue, allowance: allowance))
    do {
      dispatcher = try Dispatcher(hostMode: mode == .host)
    } catch {
      throw .io(errno: error.code, place: error.place)
    }
    if mode == .thread {
      dispatcher.onFirstJob { [weak self] in self?.startDelivering() }
    }
  }

  deinit { shutDown() }

  /// The present instant on the clock samples carry.
  public var now: Instant { loop.clock.now }

  /// Whether the calling thread is inside a callback of this context.
  public var isCurrent: Bool { dispatcher.isCurrent }

  /// Whether it was closed.
  public var isClosed: Bool { core.withLock { $0.isClosed } }

  /// Stops all its sources (each running one delivers `stopped`), ends all listeners and returns
  /// when no callback runs (sources C6). Idempotent.
  public func close() throws(SourceError) {
    if dispatcher.isCurrent {
      throw .wrongThread("a context cannot be closed inside one of its own callbacks")
    }
    let last = core.withLock { state -> UInt64? in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      var last = dispatcher.lastCaused
      for number in state.sessions.keys.sorted() {
        if let delivery = state.stopForClose(number) { last = cause(delivery) }
      }
      return last
    }
    guard let last else { return }
    dispatcher.settle(through: last)
    shutDown()
  }

  private func shutDown() {
    let (listeners, watches, timers) = core.withLock { state in
      state.isClosed = true
      return state.takeEverythingThatLives()
    }
    for timer in timers + watches { timer.cancel() }
    for listener in listeners { dispatcher.end(listener) }
    eventLoop?.stop()
    dispatcher.close()
    let thread = deliveryThread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    dispatcher.isLoopThread ? thread?.detach() : thread?.join()
    core.withLock { $0.dropEverything() }
  }

  private func startDelivering() {
    let dispatcher = dispatcher
    let thread = try? WorkerThread(named: "gkit-deliver") { dispatcher.runUntilClosed() }
    deliveryThread.withLock { $0 = thread }
  }

  // MARK: Posting deliveries

  /// Queues the delivery of a session's outbox for the loop.
  func post(_ delivery: Delivery) {
    dispatcher.post { [weak self] dispatcher in self?.deliver(delivery, on: dispatcher) }
  }

  /// Queues the delivery of what a call causes.
  @discardableResult
  func cause(_ delivery: Delivery) -> UInt64 {
    dispatcher.cause { [weak self] dispatcher in self?.deliver(delivery, on: dispatcher) }
  }

  private func deliver(_ delivery: Delivery, on dispatcher: Dispatcher) {
    while let next = core.withLock({ $0.takeItem(of: delivery) }) {
      defer { core.withLock { $0.endFanOut(of: delivery.session, next.content) } }
      for listener in next.listeners {
        dispatcher.perform(for: listener, while: { next.gate.current == next.epoch }) {
          switch (listener.callback, next.content) {
          case (.update(let receive), .update(let update)): receive(update)
          case (.event(let receive), .event(let event)): receive(event)
          default: break
          }
        }
      }
    }
  }
}

/// One item of an outbox on its way to listeners.
struct TakenItem: Sendable {
  enum Content: Sendable {
    case update(Update)
    case event(SourceEvent)
  }
  let content: Content
  let listeners: [Listener]
  let gate: RunGate
  /// The run it belongs to; events belong to none and are always delivered.
  let epoch: UInt64
}

extension CoreState {
  /// Takes the next item of a delivery; an update becomes what `allValues` shows.
  mutating func takeItem(of delivery: Delivery) -> TakenItem? {
    guard let serial = sessions[delivery.session]?.reach(of: delivery),
      let content = sessions[delivery.session]?.takeItem(through: serial),
      let session = sessions[delivery.session]
    else { return nil }
    switch content {
    case .update(let samples):
      sessions[delivery.session]?.values = samples
      sessions[delivery.session]?.isFanningOut = true
      return TakenItem(
        content: .update(Update(samples)), listeners: session.listeners, gate: session.gate,
        epoch: session.gate.current)
    case .event(let event, let listeners):
      return TakenItem(
        content: .event(event), listeners: listeners, gate: RunGate(), epoch: 0)
    }
  }

  /// An update has reached all its listeners.
  mutating func endFanOut(of session: UInt32, _ content: TakenItem.Content) {
    if case .update = content { sessions[session]?.isFanningOut = false }
  }

  /// Ends a session's run because the context closes; the `stopped` event, if it was updating.
  mutating func stopForClose(_ number: UInt32) -> Delivery? {
    guard let phase = sessions[number]?.phase else { return nil }
    _ = sessions[number]?.takePendingUpdate()
    sessions[number]?.endRun()
    return phase == .updating ? sessions[number]?.tell(.stopped(nil)) : nil
  }

  /// Everything that could still call somebody.
  mutating func takeEverythingThatLives()
    -> (listeners: [Listener], watches: [any Cancellable], timers: [any Cancellable])
  {
    var listeners = watchers.map(\.listener)
    for session in sessions.values { listeners += session.listeners + session.eventListeners }
    let watches = kinds.flatMap(\.watches)
    let timers = producers.values.compactMap(\.timer)
    for index in kinds.indices { kinds[index].watches = [] }
    for producer in producers.keys { producers[producer]?.timer = nil }
    return (listeners, watches, timers)
  }

  /// Lets go of descriptors and listeners.
  mutating func dropEverything() {
    watchers = []
    producers = [:]
    for number in sessions.keys {
      sessions[number]?.listeners = []
      sessions[number]?.eventListeners = []
      sessions[number]?.taps = []
      sessions[number]?.clearOutbox()
    }
  }
}
