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
  func perform<Asked, Row>(
    _ calls: inout [DatabaseCall<Asked, Row>], by performer: DatabasePerformer<Asked, Row>,
    joining join: (inout [DatabaseCall<Asked, Row>]) -> Void
  ) -> Answers<Row> {
    // The lock keeps the database for as long as it is interrupted.
    ending.during({ [opened] in opened.withLock { $0?.database.interrupt() } }) {
      if calls.indices.allSatisfy({ Self.isCancelled(calls, $0) }) {
        return calls.indices.map { _ in Self.cancelled() }
      }
      if calls.indices.contains(where: { calls[$0].work.isWriting }) {
        return writeAll(&calls, performer, join)
      }
      return calls.indices.map { read(calls, $0, performer) }
    }
  }

  /// No call fails because of another: what cannot be done together is done apart.
  private func writeAll<Asked, Row>(
    _ calls: inout [DatabaseCall<Asked, Row>], _ performer: DatabasePerformer<Asked, Row>,
    _ join: (inout [DatabaseCall<Asked, Row>]) -> Void
  ) -> Answers<Row> {
    var answers: Answers<Row> = []
    // The next ones stand last.
    var batches = [calls.indices]
    var isFirst = true
    while var batch = batches.popLast() {
      var written: Answers<Row> = []
      do throws(DataSourceError) {
        if isFirst {
          try write(&calls, &batch, performer, &written, performer.rowsTogether, joining: join)
        } else {
          // One statement for several would not say which of them cannot be done.
          try write(&calls, &batch, performer, &written, .max, joining: { _ in })
        }
        if answers.isEmpty { answers = written } else { answers += written }
      } catch {
        let parts = parts(of: batch, written, error)
        batches += parts.reversed()
        if parts.isEmpty {
          let own = batch.count == 1 ? written.first : nil
          answers += batch.map {
            calls[$0].work.isWriting ? own ?? .failure(error) : read(calls, $0, performer)
          }
        }
      }
      // What joins stands behind all others.
      isFirst = false
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
  private func write<Asked, Row>(
    _ calls: inout [DatabaseCall<Asked, Row>], _ batch: inout Range<Int>,
    _ performer: DatabasePerformer<Asked, Row>, _ written: inout Answers<Row>,
    _ rowsTogether: Int, joining join: (inout [DatabaseCall<Asked, Row>]) -> Void
  ) throws(DataSourceError) {
    if ending.isCancelled { throw DataSourceError(.cancelled) }
    guard let database = try open(for: .writing) else { throw DataSourceError(.failed) }
    written.reserveCapacity(batch.count)
    try catching { () throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        var next = batch
        while !next.isEmpty {
          var index = next.lowerBound
          while index < next.upperBound {
            if ending.isCancelled { throw .interruption }
            if Self.areRows(calls, index, rowsTogether) {
              try performer.writeRows(calls, index..<(index + rowsTogether), database)
              for _ in 0..<rowsTogether { written.append(.success([])) }
              index += rowsTogether
            } else {
              try write(calls, index, database, performer, &written)
              index += 1
            }
          }
          let count = calls.count
          join(&calls)
          next = count..<calls.count
          batch = batch.lowerBound..<(batch.upperBound + next.count)
        }
      }
    }
  }

  /// Whether so many calls from an index on write a row each, and none was called off.
  private static func areRows<Asked, Row>(
    _ calls: [DatabaseCall<Asked, Row>], _ index: Int, _ count: Int
  ) -> Bool {
    count <= calls.count - index
      && (index..<(index + count)).allSatisfy {
        calls[$0].work == .writingRow && !isCancelled(calls, $0)
      }
  }

  private static func isCancelled<Asked, Row>(
    _ calls: [DatabaseCall<Asked, Row>], _ index: Int
  ) -> Bool {
    calls[index].canceller?.isCancelled == true
  }

  /// Does one call inside a transaction.
  private func write<Asked, Row>(
    _ calls: [DatabaseCall<Asked, Row>], _ index: Int, _ database: Database,
    _ performer: DatabasePerformer<Asked, Row>, _ written: inout Answers<Row>
  ) throws(DatabaseError) {
    if Self.isCancelled(calls, index) {
      written.append(Self.cancelled())
      return
    }
    written.append(performer.answer(calls, index, database))
    guard case .failure? = written.last else { return }
    // What did a part of its work is undone, and this alone: all are, and done apart. After some
    // errors, as of a full disk, SQLite itself has undone everything.
    if calls[index].work == .writing || !database.isInTransaction { throw .undone }
  }

  private func read<Asked, Row>(
    _ calls: [DatabaseCall<Asked, Row>], _ index: Int, _ performer: DatabasePerformer<Asked, Row>
  ) -> Result<[Row?], DataSourceError> {
    if Self.isCancelled(calls, index) || ending.isCancelled { return Self.cancelled() }
    do throws(DataSourceError) {
      guard let database = try open(for: .reading) else {
        return performer.answer(calls, index, nil)
      }
      if calls[index].work == .readingOnce { return performer.answer(calls, index, database) }
      try catching { () throws(DatabaseError) in try database.run("BEGIN") }
      defer { database.rollBack() }
      return performer.answer(calls, index, database)
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
