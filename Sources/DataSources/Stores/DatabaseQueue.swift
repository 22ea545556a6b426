import Ground
package import Machine

/// What a call does to an SQLite file.
package enum DatabaseWork: Sendable {
  /// It reads by one statement.
  case readingOnce
  /// It reads by several, which see one state of the file.
  case reading
  /// It writes by one statement, which SQLite does whole or not at all.
  case writingOnce
  /// It writes one row by one statement, which may write the rows of others of its kind as well.
  case writingRow
  /// It writes by several.
  case writing

  var isWriting: Bool { self == .writingOnce || self == .writingRow || self == .writing }
}

/// A call to an SQLite file that waits for its turn: what is asked, and where the answer goes.
struct DatabaseCall<Asked: Sendable, Row: Sendable>: Sendable {
  let work: DatabaseWork
  let asked: Asked
  let canceller: (any Canceller)?
  let reply: @Sendable (Result<[Row?], DataSourceError>) -> Void

}

/// What does what is asked of an SQLite file, perhaps more than once, and in a transaction with
/// other things. Calls are passed with their array: one taken out of it would be a copy, which
/// counts all it refers to.
struct DatabasePerformer<Asked: Sendable, Row: Sendable>: Sendable {
  typealias Call = DatabaseCall<Asked, Row>

  /// Does it; what only reads is given nil as long as there is no file.
  let perform: @Sendable (Asked, Database?) throws(DataSourceError) -> [Row?]
  /// So many calls that write a row each are done by one statement.
  var rowsTogether = Int.max
  /// Does a range of so many calls: all of it, or it throws.
  var writeRows: @Sendable ([Call], Range<Int>, Database) throws(DatabaseError) -> Void = {
    _, _, _ in
  }

  /// What a call gives.
  func answer(
    _ calls: [Call], _ index: Int, _ database: Database?
  ) -> Result<[Row?], DataSourceError> {
    do throws(DataSourceError) {
      return .success(try perform(calls[index].asked, database))
    } catch {
      return .failure(error)
    }
  }
}

/// What is asked of an SQLite file by a function, which may run more than once.
package struct DatabaseSteps<Row: Sendable>: Sendable {
  let body: @Sendable (Database?) throws(DataSourceError) -> [Row?]
}

/// The calls to one SQLite file: whatever waits, or comes while that is written, is done in one
/// transaction, and answered after its commit, so that many small writes share one synchronisation
/// to disk.
///
/// While nothing waits or is under way, one that reads is answered where it is made.
package final class DatabaseQueue<Asked: Sendable, Row: Sendable>: Sendable {
  /// What a call gives: rows, or what is not there.
  package typealias Answer = [Row?]
  private typealias Call = DatabaseCall<Asked, Row>

  private struct State: Sendable {
    /// Optional, so that they can be moved elsewhere: a copy would count all they refer to.
    var calls: [Call?] = []
    /// How many calls wait or are under way.
    var unfinished = 0
    var isScheduled = false
  }

  private let state = Lock(State())
  private let worker: StoreWorker
  private let file: DatabaseFile
  private let performer: DatabasePerformer<Asked, Row>

  /// When so many calls are written, no more join them: about 10 ms of work.
  private static var mostTogether: Int { 4096 }

  /// So many are answered before those who wait for their answers are woken.
  private static var toldTogether: Int { 256 }

  /// The calls to a file, done by one of several workers.
  init(
    _ file: DatabaseFile, among workers: StoreWorkers, by performer: DatabasePerformer<Asked, Row>
  ) {
    self.file = file
    self.performer = performer
    worker = StoreWorker(named: "gkit-storage", among: workers)
  }

  /// Lets the worker do what is asked, and replies when what that wrote is on the disk.
  package func submit(
    _ work: DatabaseWork, _ canceller: (any Canceller)?, _ asked: Asked,
    reply: @escaping @Sendable (Result<Answer, DataSourceError>) -> Void
  ) {
    // In a fork's child even the lock may be shut for ever.
    if worker.isForked {
      return reply(.failure(DataSourceError(.failed, "the process has forked")))
    }
    let mustSchedule = state.withLock { state in
      defer { state.isScheduled = true }
      state.calls.append(
        DatabaseCall(work: work, asked: asked, canceller: canceller, reply: reply))
      state.unfinished += 1
      return !state.isScheduled
    }
    guard mustSchedule else { return }
    do throws(DataSourceError) {
      try worker.submit { self.drain() }
    } catch {
      var (calls, waiting): ([Call], [Call?]) = ([], [])
      state.withLock { state in
        swap(&state.calls, &waiting)
        state.isScheduled = false
      }
      Self.move(&waiting, to: &calls)
      finish(calls, calls.indices.map { _ in .failure(error) })
    }
  }

  /// What a body of one statement reads on the calling thread.
  ///
  /// Answers nil, and the call is to be submitted, if an earlier call is not finished, if the file
  /// is not open for this or is busy, and if the body answers nil.
  package func readAtOnce<Found>(
    _ body: (Database) throws(DataSourceError) -> Found?
  ) -> Found? {
    if worker.isForked || state.withLock({ $0.unfinished > 0 }) { return nil }
    return file.readAtOnce(body)
  }

  private func drain() {
    var (calls, waiting): ([Call], [Call?]) = ([], [])
    while true {
      // Its memory is used again.
      calls.removeAll(keepingCapacity: true)
      state.withLock { state in
        swap(&state.calls, &waiting)
        if waiting.isEmpty { state.isScheduled = false }
      }
      if waiting.isEmpty { return }
      Self.move(&waiting, to: &calls)
      if calls.indices.contains(where: { calls[$0].work.isWriting }) {
        let answers = file.perform(&calls, by: performer) { self.join(&$0, &waiting) }
        finish(calls, answers)
      } else {
        for index in calls.indices {
          var alone = [calls[index]]
          finish(alone, file.perform(&alone, by: performer, joining: { _ in }))
        }
      }
    }
  }

  /// Adds what waits to calls that are being written, unless so many are that they would wait for
  /// their answers too long. `waiting` is empty before and after.
  private func join(_ calls: inout [Call], _ waiting: inout [Call?]) {
    if calls.count >= Self.mostTogether { return }
    state.withLock { swap(&$0.calls, &waiting) }
    Self.move(&waiting, to: &calls)
  }

  private static func move(_ waiting: inout [Call?], to calls: inout [Call]) {
    for index in waiting.indices {
      if let call = waiting[index].take() { calls.append(call) }
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Answers calls whose work is done. Who hears of it may read at once.
  private func finish(_ calls: [Call], _ answers: [Result<Answer, DataSourceError>]) {
    state.withLock { $0.unfinished -= calls.count }
    for start in stride(from: 0, to: calls.count, by: Self.toldTogether) {
      Wakes.together {
        for index in start..<min(start + Self.toldTogether, calls.count) {
          calls[index].reply(answers[index])
        }
      }
    }
  }
}

extension DatabaseQueue {
  /// The calls of functions to a file.
  package convenience init(
    _ file: DatabaseFile, among workers: StoreWorkers
  ) where Asked == DatabaseSteps<Row> {
    let performer = DatabasePerformer<Asked, Row>(
      perform: { steps, database throws(DataSourceError) in try steps.body(database) })
    self.init(file, among: workers, by: performer)
  }

  /// Runs a function on the worker, and replies when what it wrote is on the disk.
  package func submit(
    _ work: DatabaseWork, _ canceller: (any Canceller)?,
    _ body: @escaping @Sendable (Database?) throws(DataSourceError) -> Answer,
    reply: @escaping @Sendable (Result<Answer, DataSourceError>) -> Void
  ) where Asked == DatabaseSteps<Row> {
    submit(work, canceller, DatabaseSteps(body: body), reply: reply)
  }
}
