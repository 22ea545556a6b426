package import Ground

/// Runs what a store has to do, in order, on a thread that lives while there is work and a second
/// longer.
package final class StoreWorker: Sendable {
  private enum Thread: Sendable {
    case none
    /// It is being made, and is not known yet.
    case starting
    case running(WorkerThread)
    /// A thread that ends the worker waits for it.
    case ending
    /// No thread was to be had: that of a caller does the work.
    case borrowed(UInt)
  }

  private struct State: Sendable {
    var jobs: [@Sendable () -> Void] = []
    var thread = Thread.none
    var isOver = false
  }

  private let state = Monitor(State())
  private let fork = ForkGuard()
  private let name: String
  private let ending: Cancellation

  /// A worker whose thread is called by a name of at most 15 bytes, and which ends with others.
  package init(named name: String, among workers: StoreWorkers) {
    self.name = name
    ending = workers.ending
    if !workers.add(self) { state.withLock { $0.isOver = true } }
  }

  deinit {
    // No job is at work, as that would hold this: the thread only waits, and ends at once.
    end()
  }

  /// Whether this is a child of the process that made it, where it does nothing.
  package var isForked: Bool { fork.isForked }

  /// Runs a body after those submitted before, and replies with what it gives: `cancelled`, and it
  /// is not run, when the caller or the owner of the workers has told so before.
  ///
  /// The body is given what tells it to give up.
  package func submit<Answer: Sendable>(
    _ cancellation: Cancellation?,
    _ body: @escaping @Sendable (Cancellation) throws(DataSourceError) -> Answer,
    reply: @escaping @Sendable (Result<Answer, DataSourceError>) -> Void
  ) {
    let cancellation = cancellation ?? Cancellation()
    do throws(DataSourceError) {
      try submit { [ending] in
        reply(
          Result { () throws(DataSourceError) in
            if cancellation.isCancelled || ending.isCancelled {
              throw DataSourceError(.cancelled)
            }
            return try ending.during({ cancellation.cancel() }) {
              () throws(DataSourceError) in try body(cancellation)
            }
          })
      }
    } catch {
      reply(.failure(error))
    }
  }

  /// Runs a job after those submitted before. Throws `cancelled` after the end, and `failed` in a
  /// fork's child, which has no threads and may not touch what its parent has open.
  func submit(_ job: @escaping @Sendable () -> Void) throws(DataSourceError) {
    if fork.isForked { throw DataSourceError(.failed, "the process has forked") }
    let mustStart = state.withLock { state -> Bool? in
      if state.isOver { return nil }
      state.jobs.append(job)
      guard case .none = state.thread else { return false }
      state.thread = .starting
      return true
    }
    guard let mustStart else { throw DataSourceError(.cancelled) }
    if mustStart { start() } else { state.signalAll() }
  }

  /// Lets the thread do what it has, and waits until it has ended, unless it is the caller.
  ///
  /// The owner has cancelled `ending` before, so that all it has is refused.
  func end() {
    if fork.isForked { return }
    state.withLock { $0.isOver = true }
    state.signalAll()
    let here = CurrentThread.identity
    let thread = state.wait { state -> WorkerThread?? in
      switch state.thread {
      case .none: return .some(nil)
      case .starting, .ending: return nil
      case .borrowed(let thread): return thread == here ? .some(nil) : nil
      case .running(let thread):
        state.thread = .ending
        return thread
      }
    }
    guard let thread = thread ?? nil else { return }
    if thread.isCurrent { thread.detach() } else { thread.join() }
    state.withLock { $0.thread = .none }
    state.signalAll()
  }

  private func start() {
    do {
      let thread = try WorkerThread(named: name) { [state] in Self.work(state) }
      state.withLock { $0.thread = .running(thread) }
      state.signalAll()
    } catch {
      // No thread is to be had: the work is done here, late rather than never.
      state.withLock { $0.thread = .borrowed(CurrentThread.identity) }
      Self.work(state, lingering: 0)
    }
  }

  private static func work(_ state: Monitor<State>, lingering: Int64 = 1_000_000_000) {
    // Until it is known, it could not let go of itself.
    _ = state.wait { state -> Bool? in if case .starting = state.thread { nil } else { true } }
    while true {
      let limit = Monitor<State>.moment(after: lingering)
      _ = state.wait(until: limit) { $0.isOver || !$0.jobs.isEmpty ? true : nil }
      let (jobs, thread) = state.withLock { state in
        let jobs = state.jobs
        state.jobs = []
        return (jobs, jobs.isEmpty ? Self.takeThread(&state) : nil)
      }
      if jobs.isEmpty {
        state.signalAll()
        thread?.detach()
        return
      }
      for job in jobs { job() }
    }
  }

  /// The thread, which is about to end, unless `end` has taken it and waits for that.
  private static func takeThread(_ state: inout State) -> WorkerThread? {
    switch state.thread {
    case .running(let thread):
      state.thread = .none
      return thread
    case .ending: return nil
    case .none, .starting, .borrowed:
      state.thread = .none
      return nil
    }
  }
}
