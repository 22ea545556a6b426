import Ground

/// What a dispatcher does for a context, in turn.
enum Job: Sendable {
  /// Delivers what waits of a session, up to a number.
  case deliver(SessionState, through: UInt64)
  /// Delivers all that waits of a session by then.
  case deliverAll(SessionState)
  /// Anything else. It reaches host code only through the dispatcher's `perform`.
  case run(@Sendable (Dispatcher) -> Void)
}

/// A queue of jobs, one of which is taken and run at a time; it counts jobs added and completed. A
/// taken job is not kept: the thread that ran it frees it, never under the lock of a later append.
struct JobQueue {
  private var jobs = FIFO<Job>()
  private(set) var appended: UInt64 = 0
  private(set) var taken: UInt64 = 0
  /// Up to which number all have run, or were dropped.
  private(set) var completed: UInt64 = 0
  private var isRunning = false

  var isEmpty: Bool { jobs.isEmpty }

  /// Appends a job; true if the queue was empty.
  @discardableResult
  mutating func append(_ job: Job) -> Bool {
    let wasEmpty = isEmpty
    jobs.append(job)
    appended += 1
    return wasEmpty
  }

  mutating func pop() -> Job? {
    guard let job = jobs.popFirst() else { return nil }
    assert(!isRunning, "one job at a time")
    isRunning = true
    taken += 1
    return job
  }

  /// The same, if it is one of the first so many that were appended.
  mutating func pop(before last: UInt64) -> Job? { taken < last ? pop() : nil }

  /// Completes the job that was taken, and the jobs behind it that were dropped meanwhile.
  mutating func complete() {
    isRunning = false
    completed = taken
  }

  /// Empties the queue and returns its jobs, for the caller to release.
  mutating func takeAll() -> FIFO<Job> {
    taken = appended
    if !isRunning { completed = taken }
    defer { jobs = FIFO() }
    return jobs
  }
}
