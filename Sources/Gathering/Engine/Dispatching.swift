import Ground
import Synchronization

/// How threads come to deliver: by dispatching, by moving the clock, or as the delivery thread.
extension Dispatcher {
  func beginDispatch() throws(SourceError) {
    let here = CurrentThread.identity
    let isInside = CallbackDepth.isInside
    try state.withLock { (state) throws(SourceError) in
      if isInside && turn.isMine {
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

  /// While one thread moves the clock, no other thread delivers queued items of the loop.
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

  /// Runs one action of a clock; everything it queues is delivered after all of it, independent of
  /// the timing of the loop.
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

  /// Waits until everything queued before the call has been delivered; false after a timeout or a
  /// close.
  func awaitDelivery(
    of mark: (caused: UInt64, queued: UInt64), until moment: Int64?
  ) -> Bool {
    state.wait(until: moment) { state in
      if state.isClosed { return false }
      let isDone = state.caused.completed >= mark.caused && state.queued.completed >= mark.queued
      return isDone ? true : nil
    } ?? false
  }

  /// How many rounds of newly queued jobs are delivered before a clock moves on: jobs that queue
  /// themselves for ever must not stop it.
  private static var roundLimit: Int { 32 }

  /// Waits until all queued items, and the items they queue in turn, have been delivered.
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

  /// Delivers all queued items, and the items they queue in turn; returns the number of callbacks
  /// run. For a thread inside no callback, which waits for the turn.
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
    while let mustDeliver = awaitJobs() {
      // No callback runs on this thread, so it waits for its turn.
      if mustDeliver { _ = try? deliverQueued() }
    }
  }

  /// Waits until there may be something to deliver; whether there is, or nil once it is closed. As
  /// a loop's partner the thread gathers what becomes due meanwhile.
  private func awaitJobs() -> Bool? {
    guard let partner else {
      let isOver = state.wait { $0.isClosed ? true : $0.hasOpenJobs ? false : nil }
      return isOver ?? true ? nil : true
    }
    let mustDeliver = state.withLock { state -> Bool? in
      if state.isClosed { return nil }
      if state.hasOpenJobs { return true }
      isNapping.store(true, ordering: .relaxed)
      return false
    }
    if mustDeliver == false {
      // No longer asleep: what this thread posts while it gathers wakes no thread.
      partner.sleep(onWake: { isNapping.store(false, ordering: .relaxed) })
    }
    return mustDeliver
  }

  /// Accepts no more jobs, drops queued ones, and waits for a running callback.
  func close() {
    let dropped = state.withLock { state in
      state.isClosed = true
      return (state.queued.takeAll(), state.caused.takeAll())
    }
    // Objects held by the jobs may call back when they are released: outside the lock.
    withExtendedLifetime(dropped) {}
    wake?.signal()
    partner?.wake()
    state.signalAll()
    if CallbackDepth.isInside || turn.isMine { return }
    _ = state.wait { _ in turn.announceWait() ? nil : true }
  }

  /// Wakes threads that wait for the end of `close` on another thread.
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
  /// Whether a thread may deliver the queued items of the loop; without one, whether any may.
  func isOpen(to thread: UInt? = nil) -> Bool {
    !isMoving && (seeker == nil || seeker == thread)
  }

  /// Whether there is something to deliver for the loop.
  fileprivate var hasOpenJobs: Bool { isOpen() && !queued.isEmpty }
}
