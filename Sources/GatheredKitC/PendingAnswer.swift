import DataSources
import Ground
import Streams
import Values

/// What works for an answer.
protocol AnswerWork: AnyObject, Sendable {
  /// The answer was called off.
  func callOff()
}

/// The answer of a call, which is there or will be. Most are only waited for: a future that calls
/// consumers is made when the first is attached.
final class PendingAnswer: Sendable {
  private struct State: Sendable {
    var answer: CallResult<Value>?
    /// What is called off with it, until there is an answer.
    var work: (any AnswerWork)?
    var future: Future<CallPayload<Value>>?
  }

  private let state: Lock<State>
  private let resolved = Condition()
  private let loop: any WorkQueue

  /// The answer of a call, whose consumers run on the loop.
  init(of work: any AnswerWork, on loop: any WorkQueue) {
    state = Lock(State(work: work))
    self.loop = loop
  }

  /// The answer; nil while it is pending.
  var answer: CallResult<Value>? { state.withLock { $0.answer } }

  var isResolved: Bool { state.withLock { $0.work == nil } }

  /// The same as a future, for consumers.
  var future: Future<CallPayload<Value>> {
    while true {
      let (known, answer) = state.withLock { ($0.future, $0.answer) }
      if let known { return known }
      let new = Future<CallPayload<Value>>(on: loop)
      if let answer { new.resolve(answer) }
      let isTaken = state.withLock { state in
        // One that has been answered meanwhile is looked at again.
        guard state.future == nil, answer != nil || state.answer == nil else { return false }
        state.future = new
        return true
      }
      if isTaken { return new }
    }
  }

  /// Gives the answer, as one of many (`Wakes`); does nothing when there is one.
  func resolve(_ answer: CallResult<Value>) {
    let work = settle(answer)
    withExtendedLifetime(work) {}
  }

  /// Answers `cancelled` and calls the work off; does nothing when there is an answer.
  func cancel() { settle(.failure(DataSourceError(.cancelled)))?.callOff() }

  /// Waits until a moment of CLOCK_MONOTONIC, nil for ever, and throws `timeout` after it.
  func wait(until moment: Int64?) throws(DataSourceError) -> CallPayload<Value> {
    guard let answer = resolved.wait(with: state, until: moment, for: { $0.answer }) else {
      throw DataSourceError(.timeout)
    }
    return try answer.get()
  }

  /// Takes an answer and gives the work; nil when there was one before.
  private func settle(_ answer: CallResult<Value>) -> (any AnswerWork)? {
    let (work, future) = state.withLock { state in
      if state.work != nil { state.answer = answer }
      return (state.work.take(), state.future)
    }
    guard let work else { return nil }
    resolved.signalTogether()
    future?.resolve(answer)
    return work
  }
}
