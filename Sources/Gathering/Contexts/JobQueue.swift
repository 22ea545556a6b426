import Ground

/// Jobs in order, of which one at a time is taken and run, counted as they come and go. What was
/// taken is not kept: a job is freed by the thread that ran it, never under the lock of a later
/// append.
struct JobQueue {
  private var jobs = FIFO<Dispatcher.Job>()
  private(set) var appended: UInt64 = 0
  private(set) var taken: UInt64 = 0
  /// Up to which number all have run, or were dropped.
  private(set) var completed: UInt64 = 0
  private var isRunning = false

  var isEmpty: Bool { jobs.isEmpty }

  /// Appends a job; true if the queue was empty.
  @discardableResult
  mutating func append(_ job: @escaping Dispatcher.Job) -> Bool {
    let wasEmpty = isEmpty
    jobs.append(job)
    appended += 1
    return wasEmpty
  }

  mutating func pop() -> Dispatcher.Job? {
    guard let job = jobs.popFirst() else { return nil }
    assert(!isRunning, "one job at a time")
    isRunning = true
    taken += 1
    return job
  }

  /// The job that was taken has run, and those behind it that were dropped meanwhile are over too.
  mutating func complete() {
    isRunning = false
    completed = taken
  }

  /// Empties the queue and gives what was in it, for the caller to let go.
  mutating func takeAll() -> FIFO<Dispatcher.Job> {
    taken = appended
    if !isRunning { completed = taken }
    defer { jobs = FIFO() }
    return jobs
  }
}
