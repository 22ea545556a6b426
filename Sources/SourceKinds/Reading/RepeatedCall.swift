import Ground
import Machine

/// A method that is called again and again: one call is under way at most, and the last answer is
/// kept, so that a service that is slow to answer holds up no caller.
final class RepeatedCall: Sendable {
  typealias Reply = Result<[BusValue], BusFailure>

  private struct State: Sendable {
    var reply: Reply?
    /// Counts the calls; answers to calls that were given up are not taken.
    var round = 0
    var isOpen = false
  }

  private let state = Monitor(State())

  /// Calls, unless an earlier call is not answered yet.
  func send(_ call: BusCall, on bus: any MessageBus) {
    let round = state.withLock { state -> Int? in
      if state.isOpen { return nil }
      state.isOpen = true
      state.round += 1
      return state.round
    }
    guard let round else { return }
    bus.call(call) { [state] reply in
      state.withLock { state in
        guard state.round == round else { return }
        state.reply = reply
        state.isOpen = false
      }
      state.signalAll()
    }
  }

  /// The last answer, after waiting at most so long for one that is under way.
  func reply(within nanoseconds: Int64) -> Reply? {
    newReply(within: nanoseconds) ?? state.withLock { $0.reply }
  }

  /// As `answer`, but nothing while a call is under way that is not answered in time: for what is
  /// measured anew each time, an earlier answer is none.
  func newReply(within nanoseconds: Int64) -> Reply? {
    let limit = Monitor<State>.moment(after: nanoseconds)
    return state.wait(until: limit) { $0.isOpen ? nil : Optional.some($0.reply) } ?? nil
  }

  /// Forgets the last answer, and one still pending.
  func forget() {
    state.withLock { state in
      // A plain answer.
      state.reply = nil
      state.isOpen = false
      state.round += 1
    }
  }
}
