import Ground

/// Wakes a waiting task when rows have arrived; several arrivals between two waits wake it once.
final class Arrivals: Sendable {
  private typealias Waiter = UnsafeContinuation<Bool, Never>

  private struct State {
    var waiter: Waiter?
    var hasCome = false
    var hasEnded = false
  }

  private let state = Lock(State())

  /// Whether it was ended.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Notes that rows have arrived and wakes the waiting task.
  func signal() {
    let waiter = state.withLock { state in
      state.hasCome = state.waiter == nil
      return state.waiter.take()
    }
    waiter?.resume(returning: true)
  }

  /// Ends this and every later wait.
  func end() {
    let waiter = state.withLock { state in
      state.hasEnded = true
      return state.waiter.take()
    }
    waiter?.resume(returning: false)
  }

  /// Waits until rows have arrived since the last wait. Returns false when this was ended or the
  /// task was cancelled. A second wait at the same time ends the first one early.
  func wait(isolation actor: isolated (any Actor)? = #isolation) async -> Bool {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { begin($0) }
    } onCancel: {
      end()
    }
  }

  private func begin(_ waiter: Waiter) {
    let (answered, answer) = state.withLock { state -> (Waiter?, Bool) in
      if state.hasEnded { return (waiter, false) }
      if state.hasCome {
        state.hasCome = false
        return (waiter, true)
      }
      let former = state.waiter
      state.waiter = waiter
      return (former, true)
    }
    answered?.resume(returning: answer)
  }
}
