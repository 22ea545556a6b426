package import Ground
package import Machine
import Streams

/// The calls to one SQLite file: whatever waits is done in one transaction, and answered after its
/// commit, so that many small writes share one synchronisation to disk.
package final class DatabaseQueue: Sendable {
  /// What a call does to the file.
  package enum Kind: Sendable {
    /// It reads by one statement.
    case readingOnce
    /// It reads by several, which see one state of the file.
    case reading
    /// It writes by one statement, which SQLite does whole or not at all.
    case writingOnce
    /// It writes by several.
    case writing
  }

  /// A call: what it does, and who is told when that lasts.
  struct Job: Sendable {
    let kind: Kind
    let cancellation: Cancellation?
    /// Does it, and gives what tells the caller so, or another error instead.
    let run: @Sendable (Database?) -> Outcome
    /// Tells the caller an error, without doing it.
    let refuse: @Sendable (DataSourceError) -> Void

    var isWriting: Bool { kind == .writingOnce || kind == .writing }
  }

  /// What came of a job; the caller is told later.
  struct Outcome: Sendable {
    let isFailure: Bool
    let reply: @Sendable () -> Void

    init<Answer: Sendable>(
      _ result: Result<Answer, DataSourceError>,
      _ reply: @escaping @Sendable (Result<Answer, DataSourceError>) -> Void
    ) {
      if case .failure = result { isFailure = true } else { isFailure = false }
      self.reply = { reply(result) }
    }
  }

  private struct State: Sendable {
    var jobs: [Job] = []
    var isScheduled = false
  }

  private let state = Lock(State())
  private let worker: StoreWorker
  private let file: DatabaseFile

  /// The calls to a file, done by one of several workers.
  package init(_ file: DatabaseFile, among workers: StoreWorkers) {
    self.file = file
    worker = StoreWorker(named: "gkit-storage", among: workers)
  }

  /// Runs a body on the worker, and replies when what it wrote is on the disk.
  ///
  /// The body may run more than once, and in a transaction with others. A body that reads is given
  /// nil as long as there is no file.
  package func submit<Answer: Sendable>(
    _ kind: Kind, _ cancellation: Cancellation?,
    _ body: @escaping @Sendable (Database?) throws(DataSourceError) -> Answer,
    reply: @escaping @Sendable (Result<Answer, DataSourceError>) -> Void
  ) {
    let job = Job(
      kind: kind, cancellation: cancellation,
      run: { database in
        let result = Result { () throws(DataSourceError) in try body(database) }
        return Outcome(result, reply)
      }, refuse: { reply(.failure($0)) })
    // In a fork's child even the lock may be shut for ever.
    if worker.isForked { return job.refuse(DataSourceError(.failed, "the process has forked")) }
    let mustSchedule = state.withLock { state in
      defer { state.isScheduled = true }
      state.jobs.append(job)
      return !state.isScheduled
    }
    guard mustSchedule else { return }
    do throws(DataSourceError) {
      try worker.submit { self.drain() }
    } catch {
      for job in take(all: true) { job.refuse(error) }
    }
  }

  private func drain() {
    while true {
      let jobs = take(all: false)
      if jobs.isEmpty { return }
      file.perform(jobs)
    }
  }

  private func take(all: Bool) -> [Job] {
    state.withLock { state in
      let jobs = state.jobs
      state.jobs = []
      if jobs.isEmpty || all { state.isScheduled = false }
      return jobs
    }
  }
}
