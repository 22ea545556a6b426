import DataSources
import Ground

/// A store that answers when a test says so, and notes what it is asked.
final class StubStore: Sendable {
  typealias Reply = DataAccess<Int>.Reply

  private let pending = Monitor<[(Call<Int>, Reply)]>([])
  private let count = Monitor(0)

  /// How many calls it has had.
  var callCount: Int { count.withLock { $0 } }

  var access: DataAccess<Int> {
    DataAccess { [self] call, reply in
      count.withLock { $0 += 1 }
      pending.withLock { $0.append((call, reply)) }
    }
  }

  /// Answers the oldest call that waits.
  @discardableResult
  func answer(_ answer: CallResult<Int>) -> Call<Int>? {
    let waiting = pending.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    waiting?.1(answer)
    return waiting?.0
  }

  /// Answers the newest call that waits.
  func answerNewest(_ answer: CallResult<Int>) {
    let waiting = pending.withLock { $0.popLast() }
    waiting?.1(answer)
  }
}

extension DataAccess<Int> {
  /// Makes a call whose outcome can be looked at.
  func ask(_ verb: Verb, _ query: Query, _ payload: CallPayload<Int> = .none) -> Future<
    CallPayload<Int>
  > {
    future(verb, query, payload)
  }
}

extension Future where Value == CallPayload<Int> {
  /// The number answered; nil if there is none.
  var number: Int? {
    if case .success(.object(let number)) = outcome { number } else { nil }
  }

  /// The code of the error; nil if there is none.
  var code: DataSourceError.Code? {
    if case .failure(let error) = outcome { error.code } else { nil }
  }
}
