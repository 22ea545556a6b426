public import Ground

/// A clock that stands still until a test moves it.
///
/// Moving it stops at every due moment on the way, in order, and calls what is due there, so
/// nothing is ever late; actions due at the same moment run in the order they were scheduled.
/// Actions run on the thread that moves the clock, and may schedule, call off and move it further.
public final class ManualClock: Clock {
  private struct Alarm {
    let due: Moment
    let order: Int
    let action: @Sendable () -> Void
  }

  private struct State {
    var now: Moment
    /// In the order they are due, the next one last.
    var alarms: [Alarm] = []
    var nextOrder = 0
  }

  private let state: Lock<State>

  /// Makes a clock that stands at `now`.
  public init(now: Moment = Moment(nanoseconds: 0)) {
    state = Lock(State(now: now))
  }

  /// Where the clock stands.
  public var now: Moment { state.withLock { $0.now } }

  /// How many actions wait.
  public var scheduledCount: Int { state.withLock { $0.alarms.count } }

  /// Calls `action` when the clock is moved to `moment`; a past moment counts as the present one.
  public func schedule(
    at moment: Moment, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let order = state.withLock { state in
      let order = state.nextOrder
      state.nextOrder += 1
      let alarm = Alarm(due: max(moment, state.now), order: order, action: action)
      let slot = state.alarms.firstIndex { $0.due <= alarm.due } ?? state.alarms.endIndex
      state.alarms.insert(alarm, at: slot)
      return order
    }
    return SetAlarm(clock: self, order: order)
  }

  /// Moves the clock forward by `duration`; a negative one counts as zero.
  public func advance(by duration: Duration) {
    advance(to: now + duration)
  }

  /// Moves the clock forward to `moment`; to the present or a past one, only what is due now runs.
  public func advance(to moment: Moment) {
    while let action = nextAction(until: moment) { action() }
    state.withLock { $0.now = max($0.now, moment) }
  }

  private func nextAction(until moment: Moment) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard let alarm = state.alarms.last, alarm.due <= max(moment, state.now) else { return nil }
      state.alarms.removeLast()
      state.now = max(state.now, alarm.due)
      return alarm.action
    }
  }

  fileprivate func callOff(_ order: Int) {
    // The action is released after the lock: what it captured may have a deinitialiser.
    let alarm = state.withLock { state in
      state.alarms.firstIndex { $0.order == order }.map { state.alarms.remove(at: $0) }
    }
    _ = alarm
  }
}

/// An alarm of a manual clock, which it does not keep.
private struct SetAlarm: Cancellable {
  weak let clock: ManualClock?
  let order: Int

  func cancel() { clock?.callOff(order) }
}
