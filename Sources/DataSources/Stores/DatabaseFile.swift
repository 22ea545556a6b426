package import Ground
package import Machine
import Streams

/// An SQLite file that is opened when it is first needed, and what is done to it in a batch.
///
/// Its queue calls it from one thread at a time, `readAtOnce` apart.
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
  private let reader = DatabaseReader()

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

  deinit {
    // The last connection that closes a file ends its log, which one that only reads cannot.
    reader.close()
  }

  /// What a body reads on the calling thread; nil where that might wait or fail.
  func readAtOnce<Found>(_ body: (Database) throws(DataSourceError) -> Found?) -> Found? {
    ending.isCancelled ? nil : reader.read(body)
  }

  // MARK: Batches

  typealias Answers<Row> = [Result<[Row?], DataSourceError>]

  /// Does calls in their order, in one transaction if one of them writes; what came of each.
  ///
  /// Before the commit `join` adds calls that have come meanwhile, until it adds none.
  func perform<Row>(
    _ calls: inout [DatabaseCall<Row>], joining join: (inout [DatabaseCall<Row>]) -> Void
  ) -> Answers<Row> {
    // The lock keeps the database for as long as it is interrupted.
    ending.during({ [opened] in opened.withLock { $0?.database.interrupt() } }) {
      if calls.allSatisfy(\.isCancelled) { return calls.map { _ in Self.cancelled() } }
      if calls.contains(where: \.work.isWriting) { return writeAll(&calls, join) }
      return calls.map { read($0) }
    }
  }

  /// No call fails because of another: what cannot be done together is done apart.
  private func writeAll<Row>(
    _ calls: inout [DatabaseCall<Row>], _ join: (inout [DatabaseCall<Row>]) -> Void
  ) -> Answers<Row> {
    var answers: Answers<Row> = []
    // The next ones stand last.
    var batches = [calls.indices]
    var hasJoined = false
    while var batch = batches.popLast() {
      var written: Answers<Row> = []
      do throws(DataSourceError) {
        try write(&calls, &batch, &written) { calls in if !hasJoined { join(&calls) } }
        if answers.isEmpty { answers = written } else { answers += written }
      } catch {
        let parts = parts(of: batch, written, error)
        batches += parts.reversed()
        if parts.isEmpty {
          let own = batch.count == 1 ? written.first : nil
          answers += calls[batch].map { $0.work.isWriting ? own ?? .failure(error) : read($0) }
        }
      }
      // What joins stands behind all others.
      hasJoined = true
    }
    return answers
  }

  /// The parts in which a batch is done after it failed together; none if there is no more to try.
  private func parts<Row>(
    of batch: Range<Int>, _ written: Answers<Row>, _ error: DataSourceError
  ) -> [Range<Int>] {
    if batch.count == 1 || error.code == .timeout || ending.isCancelled { return [] }
    var start = batch.lowerBound + batch.count / 2
    var end = start
    if case .failure? = written.last {
      // The one that could not be done is known.
      end = batch.lowerBound + written.count
      start = end - 1
    }
    return [batch.lowerBound..<start, start..<end, end..<batch.upperBound].filter { !$0.isEmpty }
  }

  /// Does a batch of calls in one transaction, and those that join it. When that throws, nothing
  /// was done; what the calls gave until then says whether it was because of the last of them.
  private func write<Row>(
    _ calls: inout [DatabaseCall<Row>], _ batch: inout Range<Int>,
    _ written: inout Answers<Row>, joining join: (inout [DatabaseCall<Row>]) -> Void
  ) throws(DataSourceError) {
    if ending.isCancelled { throw DataSourceError(.cancelled) }
    guard let database = try open(for: .writing) else { throw DataSourceError(.failed) }
    written.reserveCapacity(batch.count)
    try catching { () throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        var next = batch
        while !next.isEmpty {
          for call in calls[next] {
            if ending.isCancelled { throw .interruption }
            if call.isCancelled {
              written.append(Self.cancelled())
              continue
            }
            written.append(call.answer(database))
            guard case .failure? = written.last else { continue }
            // What did a part of its work is undone, and this alone: all are, and done apart. After
            // some errors, as of a full disk, SQLite itself has undone everything.
            if call.work == .writing || !database.isInTransaction { throw .undone }
          }
          let count = calls.count
          join(&calls)
          next = count..<calls.count
          batch = batch.lowerBound..<(batch.upperBound + next.count)
        }
      }
    }
  }

  private func read<Row>(_ call: DatabaseCall<Row>) -> Result<[Row?], DataSourceError> {
    if call.isCancelled || ending.isCancelled { return Self.cancelled() }
    do throws(DataSourceError) {
      guard let database = try open(for: .reading) else { return call.answer(nil) }
      if call.work == .readingOnce { return call.answer(database) }
      try catching { () throws(DatabaseError) in try database.run("BEGIN") }
      defer { database.rollBack() }
      return call.answer(database)
    } catch {
      return .failure(error)
    }
  }

  private static func cancelled<Row>() -> Result<[Row?], DataSourceError> {
    .failure(DataSourceError(.cancelled))
  }

  // MARK: Opening

  /// The open file; nil if it is to be read and is not there.
  private func open(for access: Database.Access) throws(DataSourceError) -> Database? {
    let path = try place()
    let identity = FileIdentity(path)
    if let opened = opened.withLock({ $0 }) {
      // One that was removed or replaced would be written in vain.
      if opened.identity == identity {
        if access == .reading { reader.open(path, identity) }
        return opened.database
      }
      reader.close()
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

extension DatabaseError {
  /// A transaction was given up, as one of its calls could not be done.
  fileprivate static let undone = DatabaseError(1, message: "a call could not be done")
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
