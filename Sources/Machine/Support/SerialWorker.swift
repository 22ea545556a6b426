/// Runs slow work piece by piece on a thread of its own, which lives while there is work.
///
/// What hangs holds up what was submitted after it, and nobody else.
public final class SerialWorker: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// The thread, while it runs.
    var thread: UInt?
    var isStarting = false
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
      guard state.thread == nil, !state.isStarting else { return false }
      state.isStarting = true
      return true
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

  private func start() {
    do {
      let thread = try WorkerThread(named: name) { [self] in work() }
      thread.detach()
    } catch {
      // No thread is to be had: the work is done here, late rather than never.
      work()
    }
  }

  private func work() {
    state.withLock { state in
      state.thread = CurrentThread.identity
      state.isStarting = false
    }
    while let job = nextJob() { job() }
  }

  private func nextJob() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.thread = nil
        state.busySince = nil
        return nil
      }
      state.busySince = Monitor<State>.moment(after: 0)
      return state.jobs.removeFirst()
    }
  }
}
