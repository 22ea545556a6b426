package import Ground
package import Machine
import Streams

/// What a call does to an SQLite file.
package enum DatabaseWork: Sendable {
  /// It reads by one statement.
  case readingOnce
  /// It reads by several, which see one state of the file.
  case reading
  /// It writes by one statement, which SQLite does whole or not at all.
  case writingOnce
  /// It writes by several.
  case writing

  var isWriting: Bool { self == .writingOnce || self == .writing }
}

/// A call to an SQLite file that waits for its turn.
///
/// Its answer is an array whatever the rows are, so that its functions are called as they are.
struct DatabaseCall<Row: Sendable>: Sendable {
  typealias Answer = [Row?]

  let work: DatabaseWork
  let cancellation: Cancellation?
  let body: @Sendable (Database?) throws(DataSourceError) -> Answer
  let reply: @Sendable (Result<Answer, DataSourceError>) -> Void

  var isCancelled: Bool { cancellation?.isCancelled == true }

  /// What it gives.
  func answer(_ database: Database?) -> Result<Answer, DataSourceError> {
    do throws(DataSourceError) {
      return .success(try body(database))
    } catch {
      return .failure(error)
    }
  }
}

/// The calls to one SQLite file: whatever waits, or comes while that is written, is done in one
/// transaction, and answered after its commit, so that many small writes share one synchronisation
/// to disk.
///
/// While nothing waits or is under way, one that reads is answered where it is made.
package final class DatabaseQueue<Row: Sendable>: Sendable {
  /// What a call gives: rows, or what is not there.
  package typealias Answer = [Row?]
  private typealias Call = DatabaseCall<Row>

  private struct State: Sendable {
    var calls: [Call] = []
    /// How many calls wait or are under way.
    var unfinished = 0
    var isScheduled = false
  }

  private let state = Lock(State())
  private let worker: StoreWorker
  private let file: DatabaseFile

  /// When so many calls are written, no more join them: about 10 ms of work.
  private static var mostTogether: Int { 4096 }

  /// The calls to a file, done by one of several workers.
  package init(_ file: DatabaseFile, among workers: StoreWorkers) {
    self.file = file
    worker = StoreWorker(named: "gkit-storage", among: workers)
  }

  /// Runs a body on the worker, and replies when what it wrote is on the disk.
  ///
  /// The body may run more than once, and in a transaction with others. A body that reads is given
  /// nil as long as there is no file.
  package func submit(
    _ work: DatabaseWork, _ cancellation: Cancellation?,
    _ body: @escaping @Sendable (Database?) throws(DataSourceError) -> Answer,
    reply: @escaping @Sendable (Result<Answer, DataSourceError>) -> Void
  ) {
    // In a fork's child even the lock may be shut for ever.
    if worker.isForked {
      return reply(.failure(DataSourceError(.failed, "the process has forked")))
    }
    let call = Call(work: work, cancellation: cancellation, body: body, reply: reply)
    let mustSchedule = state.withLock { state in
      defer { state.isScheduled = true }
      state.calls.append(call)
      state.unfinished += 1
      return !state.isScheduled
    }
    guard mustSchedule else { return }
    do throws(DataSourceError) {
      try worker.submit { self.drain() }
    } catch {
      let calls = state.withLock { state in
        defer { (state.calls, state.isScheduled) = ([], false) }
        return state.calls
      }
      finish(calls, calls.map { _ in .failure(error) })
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
    var calls: [Call] = []
    while true {
      // Emptied before it is handed over, and its memory used again.
      calls.removeAll(keepingCapacity: true)
      take(&calls)
      if calls.isEmpty { return }
      if calls.contains(where: \.work.isWriting) {
        let answers = file.perform(&calls, joining: join)
        finish(calls, answers)
      } else {
        for call in calls {
          var alone = [call]
          finish(alone, file.perform(&alone, joining: { _ in }))
        }
      }
    }
  }

  /// Adds what waits to calls that are being written, unless so many are that they would wait for
  /// their answers too long.
  private func join(_ calls: inout [Call]) {
    if calls.count >= Self.mostTogether { return }
    let more = state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
    calls += more
  }

  /// Takes what waits in exchange for an empty array.
  private func take(_ calls: inout [Call]) {
    state.withLock { state in
      swap(&state.calls, &calls)
      if calls.isEmpty { (state.calls, state.isScheduled) = ([], false) }
    }
  }

  /// Answers calls whose work is done. Who hears of it may read at once.
  private func finish(_ calls: [Call], _ answers: [Result<Answer, DataSourceError>]) {
    state.withLock { $0.unfinished -= calls.count }
    for (call, answer) in zip(calls, answers) { call.reply(answer) }
  }
}
