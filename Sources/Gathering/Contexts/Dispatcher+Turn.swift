import Ground

/// Turns for values that are delivered on the sending thread, and not by the loop (streams 5).
extension Dispatcher {
  /// The result of requesting the turn.
  enum Turn: Sendable {
    /// The thread had the turn already.
    case held
    /// It has it now, and gives it back.
    case taken
    /// Another thread has it.
    case refused
  }

  /// Takes the turn if it is free.
  func tryTurn() -> Turn {
    let here = CurrentThread.identity
    return state.withLock { state in
      if state.owner == here { return .held }
      guard state.owner == nil else { return .refused }
      state.owner = here
      return .taken
    }
  }

  /// Takes the turn, waiting for it unless this thread is inside a callback of another context: two
  /// that wait for each other would wait for ever.
  func awaitTurn() -> Turn {
    let here = CurrentThread.identity
    let mayWait = !CallbackDepth.isInside
    return state.wait { state in
      if state.owner == here { return .held }
      guard state.owner == nil else { return mayWait ? nil : .refused }
      state.owner = here
      return .taken
    } ?? .refused
  }

  /// Runs one callback in turn, on this thread; false if the turn was not available.
  func call(
    _ listener: Listener, while mayRun: () -> Bool, _ callback: () -> Void
  ) -> Bool {
    let turn = awaitTurn()
    if turn == .refused { return false }
    run(listener, while: mayRun, callback)
    if turn == .taken { giveTurn() }
    return true
  }

  /// Waits for a running call of one of some listeners, unless this thread is inside a callback;
  /// whether none runs.
  @discardableResult
  func awaitEnd(ofCallsTo listeners: [Listener]) -> Bool {
    let mayWait = !CallbackDepth.isInside
    return state.wait { state in
      let isRunning = listeners.contains { state.running.contains(ObjectIdentifier($0)) }
      return isRunning ? (mayWait ? nil : false) : true
    } ?? true
  }

  /// Waits until the objects of a listener have been released, unless this thread is inside a
  /// callback or has the turn.
  func awaitFinish(of listener: Listener) {
    let here = CurrentThread.identity
    let mayWait = !CallbackDepth.isInside
    _ = state.wait { state in
      listener.isFinished || !mayWait || state.owner == here ? true : nil
    }
  }
}
