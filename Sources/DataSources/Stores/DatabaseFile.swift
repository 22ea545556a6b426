package import Ground
package import Machine
import Streams

/// An SQLite file that is opened when it is first needed, and what is done to it in a batch.
///
/// Its queue calls it from one thread at a time.
package final class DatabaseFile: Sendable {
  private struct Opened {
    let database: Database
    let identity: FileIdentity?
  }

  private let place: @Sendable () throws(DataSourceError) -> String
  private let busyTimeout: Int32
  private let ending: Cancellation
  private let prepare: @Sendable (Database) throws(DatabaseError) -> Void
  private let opened = Monitor<Opened?>(nil)

  /// The file at a place, of which `prepare` makes what is wanted whenever it is opened. Once
  /// `ending` is cancelled, calls are `cancelled`.
  package init(
    busyTimeout: Duration, ending: Cancellation,
    prepare: @escaping @Sendable (Database) throws(DatabaseError) -> Void,
    place: @escaping @Sendable () throws(DataSourceError) -> String
  ) {
    self.place = place
    self.busyTimeout = Int32(clamping: max(busyTimeout.wholeNanoseconds, 0) / 1_000_000)
    self.ending = ending
    self.prepare = prepare
  }

  // MARK: Batches

  /// Does jobs in their order, in one transaction if one of them writes, and answers them.
  func perform(_ jobs: [DatabaseQueue.Job]) {
    let jobs = jobs.filter { job in
      guard job.cancellation?.isCancelled == true || ending.isCancelled else { return true }
      job.refuse(DataSourceError(.cancelled))
      return false
    }
    // The lock keeps the database for as long as it is interrupted.
    ending.during({ [opened] in opened.withLock { $0?.database.interrupt() } }) {
      jobs.contains(where: \.isWriting) ? writeOrSeparate(jobs) : jobs.forEach(read)
    }
  }

  private func writeOrSeparate(_ jobs: [DatabaseQueue.Job]) {
    do throws(DataSourceError) {
      let outcomes = try write(jobs)
      for outcome in outcomes { outcome.reply() }
    } catch {
      separate(jobs, after: error)
    }
  }

  /// Does one by one what could not be done together: no job fails because of another.
  private func separate(_ jobs: [DatabaseQueue.Job], after error: DataSourceError) {
    for job in jobs {
      if ending.isCancelled {
        job.refuse(DataSourceError(.cancelled))
      } else if !job.isWriting {
        read(job)
      } else if jobs.count == 1 || error.code == .timeout {
        job.refuse(error)
      } else {
        perform([job])
      }
    }
  }

  private func read(_ job: DatabaseQueue.Job) {
    do throws(DataSourceError) {
      guard let database = try open(for: .reading) else { return job.run(nil).reply() }
      if job.kind == .readingOnce { return job.run(database).reply() }
      try catching { () throws(DatabaseError) in try database.run("BEGIN") }
      let outcome = job.run(database)
      database.rollBack()
      outcome.reply()
    } catch {
      job.refuse(error)
    }
  }

  private func write(
    _ jobs: [DatabaseQueue.Job]
  ) throws(DataSourceError) -> [DatabaseQueue.Outcome] {
    guard let database = try open(for: .writing) else { throw DataSourceError(.failed) }
    return try catching { () throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        var outcomes: [DatabaseQueue.Outcome] = []
        for job in jobs {
          if ending.isCancelled { throw .interruption }
          outcomes.append(try perform(job, database))
          // After some errors, as of a full disk, SQLite itself has taken everything back.
          if !database.isInTransaction { throw database.lastError }
        }
        return outcomes
      }
    }
  }

  private func perform(
    _ job: DatabaseQueue.Job, _ database: Database
  ) throws(DatabaseError) -> DatabaseQueue.Outcome {
    guard job.kind == .writing else { return job.run(database) }
    try database.run("SAVEPOINT call")
    let outcome = job.run(database)
    guard database.isInTransaction else { return outcome }
    if outcome.isFailure { try database.run("ROLLBACK TO call") }
    try database.run("RELEASE call")
    return outcome
  }

  // MARK: Opening

  /// The open file; nil if it is to be read and is not there.
  private func open(for access: Database.Access) throws(DataSourceError) -> Database? {
    let path = try place()
    let identity = FileIdentity(path)
    if let opened = opened.withLock({ $0 }) {
      // One that was removed or replaced would be written in vain.
      if opened.identity == identity { return opened.database }
      // The one read above holds the connection.
      self.opened.withLock { $0 = nil }
    }
    if identity == nil && access == .reading { return nil }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      do throws(SystemError) {
        try PrivateFolder.make(String(path[..<slash]))
      } catch {
        throw DataSourceError(error)
      }
    }
    let database = try catching { () throws(DatabaseError) in
      try Database.durable(
        path, busyTimeout: busyTimeout, cancellation: ending, prepare: prepare)
    }
    opened.withLock { $0 = Opened(database: database, identity: FileIdentity(path)) }
    return database
  }
}

/// What a body gives, and its error of the database as one of a data source.
func catching<Answer>(
  _ body: () throws(DatabaseError) -> Answer
) throws(DataSourceError) -> Answer {
  do throws(DatabaseError) {
    return try body()
  } catch {
    throw DataSourceError(error)
  }
}

extension DataSourceError {
  /// What SQLite answered.
  package init(_ error: DatabaseError) {
    switch error.kind {
    case .interrupted: self.init(.cancelled)
    case .busy: self.init(.timeout, "others have the file: \(error.message)")
    case .damaged: self.init(.serialization, "the file is damaged: \(error.message)")
    case .constraint, .failed: self.init(.failed, error.message, errno: error.systemCode)
    }
  }
}
