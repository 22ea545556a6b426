import Machine

/// Runs what a store has to do, in order, on a thread that lives while there is work and a second
/// longer.
package final class StoreWorker: Sendable {
  private struct State: Sendable {
    var jobs: [@Sendable () -> Void] = []
    var hasThread = false
    var isClosed = false
  }

  private let state = Monitor(State())
  private let fork = ForkGuard()
  private let name: String

  /// A worker whose thread is called by a name of at most 15 bytes.
  package init(named name: String) { self.name = name }

  deinit {
    if fork.isForked { return }
    state.withLock { $0.isClosed = true }
    state.signalAll()
  }

  /// Whether this is a child of the process that made it, where it does nothing.
  package var isForked: Bool { fork.isForked }

  /// Runs a job after those submitted before. Throws `failed` in a fork's child, which has no
  /// threads and may not touch what its parent has open.
  package func submit(_ job: @escaping @Sendable () -> Void) throws(DataSourceError) {
    if fork.isForked { throw DataSourceError(.failed, "the process has forked") }
    let hasThread = state.withLock { state in
      defer { state.hasThread = true }
      state.jobs.append(job)
      return state.hasThread
    }
    if hasThread { return state.signalAll() }
    do {
      let thread = try WorkerThread(named: name) { [state] in Self.work(state) }
      thread.detach()
    } catch {
      // No thread is to be had: the work is done here, late rather than never.
      Self.work(state, lingering: 0)
    }
  }

  private static func work(_ state: Monitor<State>, lingering: Int64 = 1_000_000_000) {
    while true {
      let limit = Monitor<State>.moment(after: lingering)
      _ = state.wait(until: limit) { $0.isClosed || !$0.jobs.isEmpty ? true : nil }
      let jobs = state.withLock { state in
        defer { state.jobs = [] }
        if state.jobs.isEmpty { state.hasThread = false }
        return state.jobs
      }
      if jobs.isEmpty { return }
      for job in jobs { job() }
    }
  }
}
