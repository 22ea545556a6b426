import Machine

extension Context {
  /// Host mode: readable while something waits to be dispatched; -1 in thread mode.
  public var descriptor: Int32 { dispatcher.wake?.number ?? -1 }

  /// Host mode: delivers all that is queued on entry; if there is nothing, waits for something
  /// until `timeout` nanoseconds have passed (negative: for ever). Returns how many callbacks ran.
  public func dispatch(timeout: Int64) throws(SourceError) -> Int {
    guard mode == .host else {
      throw .notSupported("a context in thread mode dispatches by itself")
    }
    if isClosed { throw .closed }
    let deadline = timeout < 0 ? nil : Monitor<Dispatcher.State>.moment(after: timeout)
    try dispatcher.beginDispatch()
    defer { dispatcher.endDispatch() }
    while true {
      let count = dispatcher.deliverQueued()
      if count > 0 { return Int(clamping: count) }
      if isClosed { throw .closed }
      if timeout == 0 || !dispatcher.awaitWork(until: deadline) { return 0 }
    }
  }

  /// Waits until all that was queued has been delivered: dispatches in host mode on the calling
  /// thread if no other does, and only waits elsewhere.
  public func flush(timeout: Int64) throws(SourceError) {
    if isClosed { throw .closed }
    if dispatcher.isCurrent { throw .wrongThread("flush inside a callback waits for itself") }
    let deadline = timeout < 0 ? nil : Monitor<Dispatcher.State>.moment(after: timeout)
    if mode == .host, (try? dispatcher.beginDispatch()) != nil {
      defer { dispatcher.endDispatch() }
      while !dispatcher.isEmpty { _ = dispatcher.deliverQueued() }
      return
    }
    if virtualLoop != nil, mode == .thread { _ = dispatcher.deliverQueued() }
    guard dispatcher.awaitEmpty(until: deadline) else {
      throw isClosed ? .closed : .timeout("not all was delivered in time")
    }
  }

  /// Runs `job` where callbacks run; always queued, first in, first out. `onEnd` runs once, after it
  /// or when it can no longer run.
  public func invoke(
    onEnd: @escaping @Sendable () -> Void = {}, _ job: @escaping @Sendable () -> Void
  ) throws(SourceError) {
    if isClosed {
      onEnd()
      throw .closed
    }
    let listener = Listener(.event { _ in job() }, onEnd: onEnd)
    dispatcher.post { dispatcher in
      dispatcher.perform(for: listener, while: { true }, job)
      dispatcher.end(listener)
    }
  }

  // MARK: The manual clock

  /// The present position of the manual clock in nanoseconds since opening; nil if the clock runs by
  /// itself.
  public var position: Int64? { virtualLoop.map { $0.clock.now.boot } }

  /// Moves the manual clock to a position, stopping at every due moment in order, and delivers
  /// everything due on the calling thread before it returns (C API R3).
  public func seek(to position: Int64) throws(SourceError) {
    guard let virtualLoop else {
      throw .notSupported("the clock of \(uri) cannot be moved; open with clock=manual")
    }
    if isClosed { throw .closed }
    if CallbackDepth.isInside { throw .wrongThread("the clock cannot be moved inside a callback") }
    try dispatcher.beginSeek()
    defer { dispatcher.endSeek() }
    if position < virtualLoop.clock.now.boot {
      throw .invalidArgument("the clock stands at \(virtualLoop.clock.now.boot) ns, past that")
    }
    var count = dispatcher.deliverQueued()
    while virtualLoop.runNext(upTo: position) {
      count &+= dispatcher.deliverQueued()
      if count > Self.seekLimit { throw .limit("more than \(Self.seekLimit) callbacks in one seek") }
    }
    virtualLoop.advance(to: position)
    _ = dispatcher.deliverQueued()
  }

  /// How many callbacks one seek may run.
  private static var seekLimit: UInt64 { 1_000_000 }
}

extension Dispatcher {
  func beginDispatch() throws(SourceError) {
    let here = CurrentThread.identity
    let isInside = CallbackDepth.isInside
    try state.withLock { (state) throws(SourceError) in
      if isInside && state.owner == here {
        throw .wrongThread("dispatch inside a callback waits for itself")
      }
      if state.dispatching != nil || state.seeker != nil {
        throw .unavailable(Availability(.busy, detail: "another thread dispatches this context"))
      }
      state.dispatching = here
    }
  }

  func endDispatch() {
    state.withLock { $0.dispatching = nil }
    state.signalAll()
  }

  /// While one thread moves the clock, no other delivers.
  func beginSeek() throws(SourceError) {
    let here = CurrentThread.identity
    try state.withLock { (state) throws(SourceError) in
      if state.seeker != nil {
        throw .unavailable(Availability(.busy, detail: "another thread moves the clock"))
      }
      state.seeker = here
    }
  }

  func endSeek() {
    state.withLock { $0.seeker = nil }
    state.signalAll()
  }

  var isEmpty: Bool { state.withLock { $0.queued.isEmpty && $0.caused.isEmpty } }

  /// Waits for something to deliver; false when the moment has passed without.
  func awaitWork(until moment: Int64?) -> Bool {
    state.wait(until: moment) { $0.isClosed || !$0.queued.isEmpty ? true : nil } ?? false
  }

  /// Waits until nothing waits and no callback runs; false when the moment has passed before.
  func awaitEmpty(until moment: Int64?) -> Bool {
    state.wait(until: moment) {
      $0.queued.isEmpty && $0.caused.isEmpty && $0.owner == nil ? true : nil
    } ?? false
  }

  /// Whether the calling thread is the delivery thread.
  var isLoopThread: Bool {
    let here = CurrentThread.identity
    return state.withLock { $0.loopThread == here }
  }

  /// The delivery thread's life.
  func runUntilClosed() {
    let here = CurrentThread.identity
    state.withLock { $0.loopThread = here }
    while true {
      let isOver = state.wait { state -> Bool? in
        if state.isClosed { return true }
        return state.seeker == nil && !state.queued.isEmpty ? false : nil
      }
      if isOver ?? true { return }
      _ = deliverQueued()
    }
  }

  /// Takes no more jobs and drops those that wait.
  func close() {
    let dropped = state.withLock { state -> [Job] in
      state.isClosed = true
      let dropped = state.queued.takeAll() + state.caused.takeAll()
      return dropped
    }
    // What the jobs hold may call back when let go: outside the lock.
    _ = dropped
    wake?.signal()
    state.signalAll()
  }
}
