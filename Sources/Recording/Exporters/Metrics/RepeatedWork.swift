import Ground

/// Work that is done again and again: on the calling thread if it was quick the last time, else on
/// a thread of its own, which others wait for no longer than they like.
final class RepeatedWork: Sendable {
  /// What takes longer gets a thread of its own the next time, in nanoseconds.
  private static let quick: Int64 = 2_000_000

  private enum Progress {
    case notBegun, underWay, done, late
  }

  private struct State {
    /// What was never done may take long.
    var isSlow = true
    var progress = Progress.notBegun
  }

  private let worker: SerialWorker
  private let state = Monitor(State())

  /// Makes one with a name for its threads.
  init(named name: String) {
    worker = SerialWorker(named: name)
  }

  /// Whether it may take long.
  var isSlow: Bool { state.withLock { $0.isSlow } }

  /// Whether it was not done in time when it was last.
  var isLate: Bool { state.withLock { $0.progress == .late } }

  /// Begins it on a thread of its own, unless it has not ended since it was begun last. The first
  /// time it may stand in line with others.
  func begin(
    until deadline: Int64, inLine line: SerialWorker? = nil,
    _ work: @escaping @Sendable () -> Void
  ) {
    let former = state.withLock { state in
      defer { state.progress = .underWay }
      return state.progress
    }
    if former == .underWay { return }
    let thread = former == .notBegun ? line ?? worker : worker
    thread.submit { [self] in perform(until: deadline, work) }
  }

  /// Does it on the calling thread.
  func perform(until deadline: Int64, _ work: () -> Void) {
    let begin = Monitor<State>.moment(after: 0)
    work()
    let end = Monitor<State>.moment(after: 0)
    state.withLock { state in
      state.isSlow = end - begin > Self.quick
      state.progress = end < deadline ? .done : .late
    }
    state.signalAll()
  }

  /// Whether it was done in time, for which it waits until a moment where it is under way.
  func isDone(by deadline: Int64) -> Bool {
    state.wait(until: deadline) { $0.progress == .underWay ? nil : $0.progress == .done } ?? false
  }
}
