import Ground
import Synchronization

/// How callbacks are called, ended and waited for, by the thread that has the turn and by others.
extension Dispatcher {
  // MARK: Taking the turn

  /// Takes the turn, waiting for it unless this thread is inside a callback of another context: two
  /// that wait for each other would wait for ever.
  @inline(__always)
  func awaitTurn() -> Turn.Grant {
    let grant = turn.tryTake()
    return grant == .refused ? awaitBusyTurn() : grant
  }

  @inline(never)
  private func awaitBusyTurn() -> Turn.Grant {
    while true {
      let grant = turn.tryTake()
      if grant != .refused { return grant }
      if CallbackDepth.isInside { return .refused }
      _ = state.wait { _ in turn.announceWait() ? nil : true }
    }
  }

  /// Runs one callback in turn, on this thread; false if the turn was not available.
  func call(
    _ listener: Listener, while mayRun: () -> Bool, _ callback: () -> Void
  ) -> Bool {
    let grant = awaitTurn()
    if grant == .refused { return false }
    run(listener, while: mayRun, callback)
    if grant == .taken { giveTurn() }
    return true
  }

  /// Whether the calling thread is inside a callback of this context, or releases one.
  var isCurrent: Bool { !isForked && turn.isMine }

  // MARK: Calling

  /// Runs one callback of the host in turn, unless its listener has ended or `mayRun` returns
  /// false; the items it causes follow at once.
  func perform(
    for listener: Listener, while mayRun: () -> Bool = { true }, _ callback: () -> Void
  ) {
    run(listener, while: { listener.isConnected && mayRun() }, callback)
  }

  /// Runs one callback in turn if `mayRun` still returns true; caused items follow the outermost
  /// callback.
  @inline(__always)
  func run(_ listener: Listener, while mayRun: () -> Bool, _ callback: () -> Void) {
    let outer = approach(listener)
    if mayRun() {
      if listener.isHost { count(1) }
      CallbackDepth.enter()
      callback()
      CallbackDepth.leave()
    }
    leave(listener, for: outer)
  }

  /// Records, in turn, that a listener is called next. Returns the one whose call surrounds it, or
  /// 0.
  @inline(__always)
  func approach(_ listener: Listener) -> UInt {
    let outer = turn.present
    if outer != 0 { Listener.markAround(outer) }
    turn.move(to: listener.address)
    return outer
  }

  /// Ends a call of a listener, or one that was not made. The outermost delivers what was caused.
  @inline(__always)
  func leave(_ listener: Listener, for outer: UInt) {
    turn.move(to: outer)
    if !Listener.isQuiet(listener.address) { conclude(listener) }
    if outer == 0, hasCaused.load(ordering: .relaxed) { drainCaused() }
  }

  /// Calls listeners with an event, in turn; the items each causes follow at once.
  func deliver(_ event: SourceEvent, to listeners: [Listener]) {
    for listener in listeners {
      perform(for: listener) {
        if case .event(let receive) = listener.callback { receive(event) }
      }
    }
  }

  /// Calls listeners with the rows of an update, inside no other callback of the context, as long
  /// as the run of the session lasts; the items each causes follow at once.
  ///
  /// `handle` is the session's in C; `update` is what closures get.
  @_optimize(speed)
  func deliver(
    _ fanOut: FanOut, as handle: OpaquePointer?, of gate: RunGate, update: SourceUpdate?
  ) {
    CallbackDepth.enter()
    let entries = fanOut.listeners.entries
    var calls = 0
    if let handle { calls = callFunctions(of: fanOut, as: handle, gate) }
    if calls < entries.count || hasCaused.load(ordering: .relaxed) {
      calls = callOthers(from: calls, of: fanOut, as: handle, gate, update)
    }
    turn.move(to: 0)
    if let last = entries.last, !last.isQuiet { conclude(entries.count - 1, of: fanOut) }
    CallbackDepth.leave()
    count(UInt64(truncatingIfNeeded: calls))
  }

  /// Calls the listeners from a place on, one by one: closures, functions that get batches, and
  /// those behind a listener that has ended or caused something. Returns how often the host was
  /// called, the listeners before that place included.
  @inline(never)
  private func callOthers(
    from first: Int, of fanOut: FanOut, as handle: OpaquePointer?, _ gate: RunGate,
    _ update: SourceUpdate?
  ) -> Int {
    var (place, calls) = (first, first)
    if place > 0, hasCaused.load(ordering: .relaxed) { follow(place - 1, of: fanOut) }
    while place < fanOut.listeners.entries.count {
      calls += call(place, of: fanOut, as: handle, gate, update) ? 1 : 0
      if hasCaused.load(ordering: .relaxed) { follow(place, of: fanOut) }
      place += 1
    }
    return calls
  }

  /// Calls the functions of the C interface at the beginning of the list, and stops at the first
  /// listener that is no such function, has ended or is waited for, and after a call that caused
  /// something. Returns how many it called.
  @inline(__always)
  private func callFunctions(
    of fanOut: FanOut, as handle: OpaquePointer, _ gate: RunGate
  ) -> Int {
    let entries = fanOut.listeners.entries
    let (rows, count) = (fanOut.reading.rows, fanOut.reading.count)
    var former: UnsafePointer<Atomic<UInt32>>?
    var place = 0
    while place < entries.count, let function = entries[place].function {
      let word = entries[place].word
      turn.move(to: UInt(bitPattern: word))
      // The one before is looked at when the position has left it: a thread that ended it while it
      // was called waits for that.
      if let former, former.pointee.load(ordering: .sequentiallyConsistent) != 0 { break }
      if !entries[place].isQuiet || gate.current != fanOut.epoch { break }
      function(handle, rows, count, entries[place].userData)
      former = word
      place &+= 1
      if hasCaused.load(ordering: .relaxed) { break }
    }
    return place
  }

  /// Calls one listener of any kind, unless it has ended or the run is over. Returns whether the
  /// host was called.
  @inline(never)
  private func call(
    _ place: Int, of fanOut: FanOut, as handle: OpaquePointer?, _ gate: RunGate,
    _ update: SourceUpdate?
  ) -> Bool {
    let listener = fanOut.listeners[place]
    turn.move(to: listener.address)
    if place > 0, !fanOut.listeners.entries[place - 1].isQuiet { conclude(place - 1, of: fanOut) }
    guard listener.isConnected, gate.current == fanOut.epoch else { return false }
    switch listener.callback {
    case .rows(let function, let userData):
      guard let handle else { return false }
      function(handle, fanOut.reading.rows, fanOut.reading.count, userData)
    case .batch(let function, let userData):
      guard let handle else { return false }
      fanOut.reading.pass(to: function, as: handle, userData)
    case .update(let receive): if let update { receive(update) }
    case .event, .samples, .transform: break
    }
    return listener.isHost
  }

  @inline(never)
  private func conclude(_ place: Int, of fanOut: FanOut) { conclude(fanOut.listeners[place]) }

  /// Delivers what a call of a listener has caused, unless that is done already.
  @inline(never)
  private func follow(_ place: Int, of fanOut: FanOut) {
    let listener = fanOut.listeners[place]
    turn.move(to: 0)
    if !Listener.isQuiet(listener.address) { conclude(listener) }
    CallbackDepth.leave()
    drainCaused()
    CallbackDepth.enter()
  }

  /// Does what others want done when a call has returned: the objects of a listener that has ended
  /// are released, and those that wait for the call are woken.
  @inline(never)
  private func conclude(_ listener: Listener) {
    if listener.endsAfterCalls, !listener.isConnected {
      // As inside a callback: that, too, must not wait for callbacks.
      CallbackDepth.enter()
      listener.finish()
      CallbackDepth.leave()
    }
    if listener.returned() { wakeWaiting() }
  }

  // MARK: Ending

  /// Ends a listener: it receives nothing more. Waits for a running call of it (unless this thread
  /// is inside a callback, sources T6), and releases its objects.
  func end(_ listener: Listener) {
    if isForked { return }
    _ = listener.disconnect()
    // A call that is still running releases them when it returns.
    guard awaitEnd(ofCallsTo: [listener]) else { return }
    listener.finish()
    if listener.returned() { wakeWaiting() }
  }

  /// Waits for a running call of one of some listeners, unless this thread is inside a callback;
  /// whether none runs. The caller has seen to it that no further call begins.
  @discardableResult
  func awaitEnd(ofCallsTo listeners: [Listener]) -> Bool {
    turn.observe()
    guard listeners.contains(where: turn.calls) else { return true }
    if CallbackDepth.isInside { return false }
    for listener in listeners {
      _ = state.wait { _ -> Bool? in
        listener.announceWait()
        turn.observe()
        return turn.calls(listener) ? nil : true
      }
    }
    return true
  }

  /// Waits until the objects of a listener have been released, unless this thread is inside a
  /// callback or has the turn.
  func awaitFinish(of listener: Listener) {
    if CallbackDepth.isInside || turn.isMine { return }
    _ = state.wait { _ -> Bool? in
      listener.announceWait()
      return listener.isFinished ? true : nil
    }
  }
}
