import GatheredKitTesting
import Ground
import Streams

/// A queue whose jobs run when a test says so, and a stream that tells who subscribes.
final class ManualQueue: WorkQueue {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
  }
  private let state = Lock(State())

  var isCurrent: Bool { state.withLock { $0.isRunning } }
  var count: Int { state.withLock { $0.jobs.count } }

  func submit(_ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.jobs.append(job) }
  }

  /// Runs one job; false when there was none.
  @discardableResult
  func runNext() -> Bool {
    let job = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.jobs.isEmpty else { return nil }
      state.isRunning = true
      return state.jobs.removeFirst()
    }
    job?()
    state.withLock { $0.isRunning = false }
    return job != nil
  }

  func runAll() { while runNext() {} }
}

/// A stream that notes how many subscriptions it has after each coming and going.
final class Probe<Value: Sendable>: ValueStream {
  private let signal = Signal<Value>()
  private let counts = Lock<[Int]>([])

  var log: [Int] { counts.withLock { $0 } }

  func send(_ value: Value) { signal.send(value) }

  func subscribe(_ sink: Sink<Value>) -> Connection {
    let connection = signal.subscribe(sink)
    note(+1)
    return Connection { [self] in
      connection.disconnect()
      note(-1)
    }
  }

  private func note(_ step: Int) {
    counts.withLock { $0.append(($0.last ?? 0) + step) }
  }
}
