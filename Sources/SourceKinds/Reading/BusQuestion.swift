import Ground
import Machine

/// A method that is called again and again: one call is under way at most, and the last answer is
/// kept, so that a service that is slow to answer holds up no caller.
final class BusQuestion: Sendable {
  typealias Answer = Result<[BusValue], BusFailure>

  private struct State: Sendable {
    var answer: Answer?
    /// Counts the calls; answers to calls that were given up are not taken.
    var round = 0
    var isOpen = false
  }

  private let state = Monitor(State())

  /// Calls, unless an earlier call is not answered yet.
  func ask(_ call: BusCall, on bus: any MessageBus) {
    let round = state.withLock { state -> Int? in
      if state.isOpen { return nil }
      state.isOpen = true
      state.round += 1
      return state.round
    }
    guard let round else { return }
    bus.call(call) { [state] answer in
      state.withLock { state in
        guard state.round == round else { return }
        state.answer = answer
        state.isOpen = false
      }
      state.signalAll()
    }
  }

  /// The last answer, after waiting at most so long for one that is under way.
  func answer(within nanoseconds: Int64) -> Answer? {
    newAnswer(within: nanoseconds) ?? state.withLock { $0.answer }
  }

  /// As `answer`, but nothing while a call is under way that is not answered in time: for what is
  /// measured anew each time, an earlier answer is none.
  func newAnswer(within nanoseconds: Int64) -> Answer? {
    let limit = Monitor<State>.moment(after: nanoseconds)
    return state.wait(until: limit) { $0.isOpen ? nil : Optional.some($0.answer) } ?? nil
  }

  /// Forgets what was answered, and what still may be.
  func forget() {
    state.withLock { state in
      // A plain answer.
      state.answer = nil
      state.isOpen = false
      state.round += 1
    }
  }
}
