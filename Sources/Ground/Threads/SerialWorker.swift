/// Runs slow work piece by piece on a thread of its own, which lives while there is work and, where
/// more is to be expected, for some time after.
///
/// A hanging job delays only the jobs behind it.
public final class SerialWorker: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// The thread, while it runs.
    var thread: UInt?
    /// Whether a thread is working, or is being created.
    var isAlive = false
    /// The working thread, until it ends. `join` takes it over when it waits for the thread.
    var handle: WorkerThread?
    var isAwaited = false
    /// Whether a thread without work is to end at once.
    var isOver = false
    /// When the running job began, on CLOCK_MONOTONIC in nanoseconds.
    var busySince: Int64?
  }

  private let state = Monitor(State())
  private let name: String
  private let patience: Int64

  /// Makes a worker with a thread name of at most 15 bytes, which waits for more work for some
  /// nanoseconds before it ends.
  public init(named name: String, waiting patience: Int64 = 0) {
    self.name = name
    self.patience = patience
  }

  /// Whether the calling thread is the worker's.
  public var isCurrent: Bool { state.withLock { $0.thread == CurrentThread.identity } }

  /// How long the running job has been running, in nanoseconds; nil if there is none.
  public var busyTime: Int64? {
    let now = Monitor<State>.moment(after: 0)
    return state.withLock { state in
      if let since = state.busySince { return now - since }
      return state.jobs.isEmpty ? nil : 0
    }
  }

  /// Runs a job after those submitted before.
  public func submit(_ job: @escaping @Sendable () -> Void) {
    let mustStart = state.withLock { state in
      state.jobs.append(job)
      defer { state.isAlive = true }
      return !state.isAlive
    }
    if mustStart { start() } else if patience > 0 { state.signalAll() }
  }

  /// Runs a job and waits for its end, for at most this many nanoseconds; returns false after a
  /// timeout, with the job still running. On the worker's own thread the job runs at once.
  public func run(within limit: Int64, _ job: @escaping @Sendable () -> Void) -> Bool {
    if isCurrent {
      job()
      return true
    }
    let done = Monitor(false)
    submit {
      job()
      done.withLock { $0 = true }
      done.signalAll()
    }
    return done.wait(until: Monitor<Bool>.moment(after: limit)) { $0 ? true : nil } ?? false
  }

  /// Waits until all submitted jobs are done and the thread has ended or will do nothing more. Must
  /// not be called by a job, nor while other threads submit.
  public func join() {
    endWhenIdle()
    let thread = state.wait { state -> WorkerThread?? in
      state.isAwaited = state.isAlive
      return state.isAlive ? nil : .some(state.handle.take())
    }
    (thread ?? nil)?.join()
  }

  /// Lets the thread end as soon as there is no work, from now on. Does not wait for it.
  public func endWhenIdle() {
    state.withLock { $0.isOver = true }
    if patience > 0 { state.signalAll() }
  }

  private func start() {
    do {
      let thread = try WorkerThread(named: name) { [self] in work(waiting: patience) }
      let unheld = state.withLock { state -> WorkerThread? in
        // A thread that has ended meanwhile did not know that it was awaited.
        guard state.isAlive || state.isAwaited else { return thread }
        defer { state.handle = thread }
        return state.handle
      }
      unheld?.detach()
    } catch {
      // No thread can be created: the work is done here, late rather than never.
      work(waiting: 0)
    }
  }

  private func work(waiting patience: Int64) {
    state.withLock { $0.thread = CurrentThread.identity }
    while let job = nextJob(waiting: patience) { job() }
    state.withLock { $0.isAwaited ? nil : $0.handle.take() }?.detach()
    state.signalAll()
  }

  private func nextJob(waiting patience: Int64) -> (@Sendable () -> Void)? {
    if patience > 0 {
      state.withLock { $0.busySince = nil }
      _ = state.wait(until: Monitor<State>.moment(after: patience)) { state -> Void? in
        state.jobs.isEmpty && !state.isOver ? nil : ()
      }
    }
    return state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.thread = nil
        state.isAlive = false
        state.busySince = nil
        return nil
      }
      state.busySince = Monitor<State>.moment(after: 0)
      return state.jobs.removeFirst()
    }
  }
}
