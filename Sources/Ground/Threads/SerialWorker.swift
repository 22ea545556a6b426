/// Runs slow work piece by piece on a thread of its own, which lives while there is work.
///
/// A job that hangs holds up the jobs behind it and nothing else.
public final class SerialWorker: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// The thread, while it runs.
    var thread: UInt?
    /// Whether a thread is at work, or is being made for it.
    var isAlive = false
    /// The thread at work, until it ends; a thread that is waited for is left to who waits.
    var handle: WorkerThread?
    var isAwaited = false
    /// When the job at work began, on CLOCK_MONOTONIC in nanoseconds.
    var busySince: Int64?
  }

  private let state = Monitor(State())
  private let name: String

  /// A worker whose thread is called by a name of at most 15 bytes.
  public init(named name: String) { self.name = name }

  /// Whether the calling thread is the worker's.
  public var isCurrent: Bool { state.withLock { $0.thread == CurrentThread.identity } }

  /// How long the job at work has been running, in nanoseconds; nil when there is none.
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
    if mustStart { start() }
  }

  /// Runs a job and waits for its end, at most so many nanoseconds; false when the time was up. The
  /// job then still runs. On the worker's own thread it runs at once.
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

  /// Waits until what was submitted has been done and the thread has ended, or does nothing more.
  /// Not to be called by a job, nor while others submit.
  public func join() {
    let thread = state.wait { state -> WorkerThread?? in
      state.isAwaited = state.isAlive
      return state.isAlive ? nil : .some(state.handle.take())
    }
    (thread ?? nil)?.join()
  }

  private func start() {
    do {
      let thread = try WorkerThread(named: name) { [self] in work() }
      let unheld = state.withLock { state -> WorkerThread? in
        // One that has ended meanwhile did not know itself.
        guard state.isAlive || state.isAwaited else { return thread }
        defer { state.handle = thread }
        return state.handle
      }
      unheld?.detach()
    } catch {
      // No thread is to be had: the work is done here, late rather than never.
      work()
    }
  }

  private func work() {
    state.withLock { $0.thread = CurrentThread.identity }
    while let job = nextJob() { job() }
    state.withLock { $0.isAwaited ? nil : $0.handle.take() }?.detach()
    state.signalAll()
  }

  private func nextJob() -> (@Sendable () -> Void)? {
    state.withLock { state in
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
