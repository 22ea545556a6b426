import Ground

/// How threads come to deliver: by dispatching, by moving the clock, or as the delivery thread.
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
      state.loopThread = here
    }
  }

  func endDispatch() {
    state.withLock { $0.dispatching = nil }
    state.signalAll()
  }

  /// While one thread moves the clock, no other delivers what the loop has queued.
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

  /// Lets a clock do one thing, and what that queues be delivered behind all of it: how soon the
  /// loop comes to it decides nothing.
  func move(_ body: () -> Void) {
    state.withLock { $0.isMoving = true }
    body()
    state.withLock { $0.isMoving = false }
    state.signalAll()
  }

  /// Waits for something to deliver; false when the moment has passed without.
  func awaitWork(until moment: Int64?) -> Bool {
    state.wait(until: moment) {
      $0.isClosed || (!$0.queued.isEmpty && $0.isOpen()) ? true : nil
    } ?? false
  }

  /// How much has been queued so far.
  var mark: (caused: UInt64, queued: UInt64) {
    state.withLock { ($0.caused.appended, $0.queued.appended) }
  }

  /// Waits until what was queued by then has been delivered; false when the moment has passed
  /// before, or the context was closed.
  func awaitDelivery(
    of mark: (caused: UInt64, queued: UInt64), until moment: Int64?
  ) -> Bool {
    state.wait(until: moment) { state in
      if state.isClosed { return false }
      let isDone = state.caused.completed >= mark.caused && state.queued.completed >= mark.queued
      return isDone ? true : nil
    } ?? false
  }

  /// How often what is delivered may queue something more before a clock moves on: jobs that queue
  /// themselves for ever must not stop it.
  private static var roundLimit: Int { 32 }

  /// Waits until all that is queued has been delivered, and what that queued in its turn.
  func awaitQuiet(unless isOver: () -> Bool) {
    var (round, mark) = (0, mark)
    while round < Self.roundLimit, !isOver() {
      let moment = Monitor<Void>.moment(after: 50_000_000)
      guard awaitDelivery(of: mark, until: moment) else {
        if state.withLock({ $0.isClosed }) { return }
        continue
      }
      let next = self.mark
      if next == mark { return }
      (round, mark) = (round + 1, next)
    }
  }

  /// Delivers all that is queued, and what that queues in its turn; how many callbacks ran. For a
  /// thread inside no callback, which waits for the turn.
  func deliverAll() -> UInt64 {
    var count: UInt64 = 0
    for _ in 0..<Self.roundLimit {
      count &+= (try? deliverQueued()) ?? 0
      if state.withLock({ $0.queued.isEmpty }) { break }
    }
    return count
  }

  /// Whether the calling thread is the delivery thread; in host mode, the last that dispatched.
  var isLoopThread: Bool {
    let here = CurrentThread.identity
    return state.withLock { $0.loopThread == here }
  }

  /// The same, where the thread that opened a context in host mode counts until one dispatches.
  var isLoop: Bool {
    let here = CurrentThread.identity
    return state.withLock { ($0.loopThread ?? $0.opener) == here }
  }

  /// Whether no thread delivers yet.
  var hasNoLoopThread: Bool { state.withLock { $0.loopThread == nil } }

  /// The delivery thread's life.
  func runUntilClosed() {
    let here = CurrentThread.identity
    state.withLock { $0.loopThread = here }
    while true {
      let isOver = state.wait { state -> Bool? in
        if state.isClosed { return true }
        return state.isOpen() && !state.queued.isEmpty ? false : nil
      }
      if isOver ?? true { return }
      // No callback runs on this thread, so it waits for its turn.
      _ = try? deliverQueued()
    }
  }

  /// Takes no more jobs, drops those that wait, and waits for a callback that is running.
  func close() {
    let dropped = state.withLock { state in
      state.isClosed = true
      return (state.queued.takeAll(), state.caused.takeAll())
    }
    // What the jobs hold may call back when let go: outside the lock.
    withExtendedLifetime(dropped) {}
    wake?.signal()
    state.signalAll()
    let here = CurrentThread.identity
    let mayWait = !CallbackDepth.isInside
    _ = state.wait { $0.owner == nil || $0.owner == here || !mayWait ? true : nil }
  }

  /// Lets those go on who wait for the end of `close` on another thread.
  func markClosed() {
    state.withLock { $0.isOver = true }
    state.signalAll()
  }

  /// Waits for the thread that closes, unless this one is inside a callback.
  func awaitClosed() {
    let mayWait = !CallbackDepth.isInside
    _ = state.wait { $0.isOver || !mayWait ? true : nil }
  }
}

extension Dispatcher.State {
  /// Whether a thread may deliver what the loop has queued; without one, whether any may.
  func isOpen(to thread: UInt? = nil) -> Bool {
    !isMoving && (seeker == nil || seeker == thread)
  }
}
