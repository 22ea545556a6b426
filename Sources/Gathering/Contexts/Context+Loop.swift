import Ground

extension Context {
  /// Host mode: readable while something waits to be dispatched; -1 in thread mode.
  public var descriptor: Int32 { dispatcher.wake?.number ?? -1 }

  /// Host mode: delivers everything queued on entry; if there is nothing, waits for something until
  /// `timeout` nanoseconds have passed (negative: for ever). Returns the number of callbacks run.
  public func dispatch(timeout: Int64) throws(SourceError) -> Int {
    guard mode == .host else {
      throw .notSupported("a context in thread mode dispatches by itself")
    }
    try check()
    let deadline = timeout < 0 ? nil : Monitor<Dispatcher.State>.moment(after: timeout)
    try dispatcher.beginDispatch()
    defer { dispatcher.endDispatch() }
    while true {
      let count = try dispatcher.deliverQueued()
      if count > 0 { return Int(clamping: count) }
      if isClosed { throw .closed }
      if timeout == 0 || !dispatcher.awaitWork(until: deadline) { return 0 }
    }
  }

  /// Waits until all that was queued has been delivered: dispatches in host mode, on the thread
  /// that dispatched last or if none has yet, and only waits elsewhere.
  public func flush(timeout: Int64) throws(SourceError) {
    try check()
    if dispatcher.isCurrent { throw .wrongThread("flush inside a callback waits for itself") }
    // Inside a callback of another context nothing waits for callbacks of this one.
    let isInside = CallbackDepth.isInside
    let deadline =
      timeout < 0 && !isInside
      ? nil : Monitor<Dispatcher.State>.moment(after: isInside ? 0 : timeout)
    let mark = dispatcher.mark
    let isOurs = mode == .host && (dispatcher.isLoopThread || dispatcher.hasNoLoopThread)
    if isOurs, (try? dispatcher.beginDispatch()) != nil {
      defer { dispatcher.endDispatch() }
      _ = try dispatcher.deliverQueued()
      return
    }
    if dispatcher.awaitDelivery(of: mark, until: deadline) { return }
    if isClosed { throw .closed }
    if isInside {
      throw .unavailable(Availability(.busy, detail: "callbacks of this context wait to be called"))
    }
    throw .timeout("not all was delivered in time")
  }

  /// Runs `job` where callbacks run; always queued, first in, first out. `onEnd` runs once, after
  /// it or when it can no longer run.
  public func invoke(
    onEnd: @escaping @Sendable () -> Void = {}, _ job: @escaping @Sendable () -> Void
  ) throws(SourceError) {
    do throws(SourceError) {
      try check()
    } catch {
      onEnd()
      throw error
    }
    let listener = Listener(.event { _ in job() }, onEnd: onEnd)
    dispatcher.post(
      .run { dispatcher in
        dispatcher.perform(for: listener, job)
        dispatcher.end(listener)
      })
  }
}
