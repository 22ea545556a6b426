import Ground
import Streams

/// A clock that wakes its one client whenever the test says so.
final class LateClock: Clock {
  private struct State {
    var now = Moment(nanoseconds: 0)
    var armed: Moment?
    var action: (@Sendable () -> Void)?
  }
  private let state = Lock(State())

  var now: Moment { state.withLock { $0.now } }
  var armed: Moment? { state.withLock { $0.armed } }

  func schedule(at moment: Moment, _ action: @escaping @Sendable () -> Void) -> any Cancellable {
    state.withLock { state in
      state.armed = moment
      state.action = action
    }
    return NeverCancelled()
  }

  func wake(at moment: Moment) {
    let action = state.withLock { state in
      state.now = moment
      return state.action.take()
    }
    action?()
  }
}

/// What these tests do not call off.
private struct NeverCancelled: Cancellable {
  func cancel() {}
}
