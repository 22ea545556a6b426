import DataSources
import GatheredKitTesting
import Ground
import Machine
import Synchronization
import Testing

struct DatabaseQueueTests {
  private let folder: TemporaryFolder
  private let path: String
  private let queue: DatabaseQueue<DatabaseSteps<Never>, Never>
  private let workers = StoreWorkers()

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path + "/a.sqlite"
    self.path = path
    queue = DatabaseQueue(
      DatabaseFile(
        busyTimeout: .seconds(5), ending: workers.ending,
        prepare: { database throws(DatabaseError) in
          try database.run("CREATE TABLE IF NOT EXISTS t(x UNIQUE)")
        }, place: { () throws(DataSourceError) in path }), among: workers)
  }

  /// How many rows another connection sees.
  private static func rows(_ path: String) -> DatabaseValue? {
    try? Database(path, for: .writing, busyTimeout: 1000).first("SELECT count(*) FROM t")
  }

  private static func insert(
    _ numbers: [Int64], _ database: Database?
  ) throws(DataSourceError) -> [Never?] {
    guard let database else { throw DataSourceError(.unknown) }
    do throws(DatabaseError) {
      for number in numbers { try database.run("INSERT INTO t VALUES(?1)", [.integer(number)]) }
    } catch {
      throw DataSourceError(error)
    }
    return []
  }

  /// Holds the worker until the answer is called, so that what is submitted meanwhile waits.
  private func hold() -> @Sendable () -> Void {
    let (held, gate) = (Monitor(false), Monitor(false))
    queue.submit(
      .readingOnce, nil,
      { _ in
        Self.open(held)
        _ = gate.wait { $0 ? true : nil }
        return []
      }, reply: { _ in })
    // Before that, what is submitted would be of the same batch.
    _ = held.wait { $0 ? true : nil }
    return { Self.open(gate) }
  }

  private static func open(_ gate: Monitor<Bool>) {
    gate.withLock { $0 = true }
    gate.signalAll()
  }

  private func wait(for log: Monitor<[String]>, _ count: Int) -> [String] {
    _ = log.wait { $0.count == count ? true : nil }
    return log.withLock { $0 }
  }

  @Test func `what waits is written in one transaction, and answered after it`() {
    let log = Monitor<[String]>([])
    let (seen, path) = (Monitor<[DatabaseValue?]>([]), path)
    let release = hold()
    for number in 1...100 {
      queue.submit(
        .writingOnce, nil,
        { database throws(DataSourceError) in
          let done = try Self.insert([Int64(number)], database)
          // No other connection sees the rows of the jobs before: all are in one transaction.
          let rows = Self.rows(path)
          if number == 100 { seen.withLock { $0.append(rows) } }
          return done
        },
        reply: { _ in
          let rows = Self.rows(path)
          if number == 1 { seen.withLock { $0.append(rows) } }
          log.withLock { $0.append("\(number)") }
          log.signalAll()
        })
    }
    release()
    #expect(wait(for: log, 100) == (1...100).map { "\($0)" })
    #expect(seen.withLock { $0 } == [.integer(0), .integer(100)])
  }

  /// Submits a call that inserts numbers, and before it has done so the ones after it.
  private func submit(
    _ calls: ArraySlice<[Int64]>, _ log: Monitor<[String]>, _ seen: Monitor<[DatabaseValue?]>
  ) {
    guard let first = calls.first else { return }
    let isSubmitted = Atomic(false)
    queue.submit(
      first.count == 1 ? .writingOnce : .writing, nil,
      { [path] database throws(DataSourceError) in
        // It may run again, apart.
        if !isSubmitted.exchange(true, ordering: .relaxed) {
          submit(calls.dropFirst(), log, seen)
          let rows = Self.rows(path)
          seen.withLock { $0.append(rows) }
        }
        return try Self.insert(first, database)
      },
      reply: { result in
        let isDone = if case .success = result { true } else { false }
        log.withLock { $0.append("\(first) \(isDone)") }
        log.signalAll()
      })
  }

  @Test func `what comes while others are written joins their transaction`() {
    let (log, seen) = (Monitor<[String]>([]), Monitor<[DatabaseValue?]>([]))
    submit([[1], [2], [3, 4], [5]], log, seen)
    #expect(wait(for: log, 4) == ["[1] true", "[2] true", "[3, 4] true", "[5] true"])
    // No other connection sees a row before all have been written.
    #expect(seen.withLock { $0.dropFirst() } == [.integer(0), .integer(0), .integer(0)])
    #expect(Self.rows(path) == .integer(5))
  }

  @Test func `L6: a call that fails among those that joined takes back what it did, too`() {
    let (log, seen) = (Monitor<[String]>([]), Monitor<[DatabaseValue?]>([]))
    submit([[1], [2], [3, 1], [2], [5]], log, seen)
    let expected = ["[1] true", "[2] true", "[3, 1] false", "[2] false", "[5] true"]
    #expect(wait(for: log, 5).sorted() == expected.sorted())
    #expect(Self.rows(path) == .integer(3))
  }

  @Test func `L6: a call that fails takes back what it did, and nothing of others`() {
    let log = Monitor<[String]>([])
    let release = hold()
    let calls: [[Int64]] = [[1], [2, 3], [4, 5, 1], [6], [7, 2]]
    for (number, values) in calls.enumerated() {
      queue.submit(
        values.count == 1 ? .writingOnce : .writing, nil,
        { database throws(DataSourceError) in try Self.insert(values, database) },
        reply: { result in
          let isDone = if case .success = result { true } else { false }
          log.withLock { $0.append("\(number) \(isDone)") }
          log.signalAll()
        })
    }
    release()
    #expect(wait(for: log, 5) == ["0 true", "1 true", "2 false", "3 true", "4 false"])
    #expect(Self.rows(path) == .integer(4))
  }

  @Test func `L59: a call that was called off before its turn is not done`() {
    let log = Monitor<[String]>([])
    let (release, cancellation) = (hold(), Cancellation())
    for number in [1, 2] as [Int64] {
      queue.submit(
        .writingOnce, number == 1 ? cancellation : nil,
        { database throws(DataSourceError) in try Self.insert([number], database) },
        reply: { result in
          if case .failure(let error) = result {
            log.withLock { $0.append("\(number) \(error.code)") }
          } else {
            log.withLock { $0.append("\(number) done") }
          }
          log.signalAll()
        })
    }
    cancellation.cancel()
    release()
    #expect(wait(for: log, 2) == ["1 cancelled", "2 done"])
    #expect(Self.rows(path) == .integer(1))
  }
}
