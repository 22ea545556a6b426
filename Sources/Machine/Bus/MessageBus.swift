import Glibc
public import Ground

/// Calls the daemons of a machine, and keeps copies of their objects up to date by their signals.
///
/// Nothing here starts a daemon. Only `view(of:waiting:)` blocks, for at most the time given.
public protocol MessageBus: AnyObject, Sendable {
  /// Keeps a copy of a service's objects up to date until the watch is cancelled, and calls
  /// `changed` after every change of it, on a thread that must not be held up.
  ///
  /// Never fails: an obstacle is the state of the view, and is left again once it is gone.
  func watch(
    _ service: BusService, _ changed: @escaping @Sendable () -> Void
  ) -> any Cancellable
  /// The present copy. Waits at most this many nanoseconds for a service that has not answered.
  ///
  /// The copy is current while the service is watched; before the first watch its state is
  /// `asking`.
  func view(of service: BusService, waiting limit: Int64) -> BusView
  /// Calls a method; `answer` is called exactly once, after 2 s at the latest, on a thread that
  /// must not be held up.
  func call(
    _ call: BusCall, _ answer: @escaping @Sendable (Result<[BusValue], BusFailure>) -> Void
  )
}

extension MessageBus {
  /// Calls a method and waits for its answer, 2 s at most. Never on the gathering thread.
  public func ask(_ call: BusCall) throws(BusFailure) -> [BusValue] {
    let box = Monitor<Result<[BusValue], BusFailure>?>(nil)
    self.call(call) { answer in
      box.withLock { $0 = answer }
      box.signalAll()
    }
    // A little more than the bus's own limit, which is the one that counts.
    let limit = Monitor<Void>.moment(after: 2_500_000_000)
    guard let answer = box.wait(until: limit, for: { $0 }) else {
      throw .timedOut(call.destination)
    }
    return try answer.get()
  }

  /// Watches a service and calls `notify` on a loop; changes before that call are one notice.
  ///
  /// `here` is asked first, on the bus's thread, which must not be held up: what it has seen to is
  /// no notice.
  public func subscribe(
    to service: BusService, on loop: any Loop, orHere here: @escaping @Sendable () -> Bool,
    _ notify: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let notices = LoopNotices(loop: loop, notify)
    return LoopWatch(notices: notices, watch: watch(service) { if !here() { notices.changed() } })
  }
}

/// Passes changes to a loop and combines several of them.
private final class LoopNotices: Sendable {
  private struct State {
    var isPending = false
    var isCancelled = false
  }

  private let loop: any Loop
  private let notify: @Sendable () -> Void
  private let state = Monitor(State())

  init(loop: any Loop, _ notify: @escaping @Sendable () -> Void) {
    self.loop = loop
    self.notify = notify
  }

  func changed() {
    let isFirst = state.withLock { state in
      if state.isPending || state.isCancelled { return false }
      state.isPending = true
      return true
    }
    if isFirst { loop.submit { [self] in deliver() } }
  }

  func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  private func deliver() {
    let isWanted = state.withLock { state in
      state.isPending = false
      return !state.isCancelled
    }
    if isWanted { notify() }
  }
}

private struct LoopWatch: Cancellable {
  let notices: LoopNotices
  let watch: any Cancellable

  func cancel() {
    notices.cancel()
    watch.cancel()
  }
}
