import Ground
import Machine

/// Rows of a table in an SQLite file (data sources L27 to L30).
package final class TableStore: Sendable {
  /// What is asked of a table.
  package enum Work: Sendable {
    /// The rows of ids, nil where there is none.
    case read([EntryID])
    /// The rows of a refinement, of which a range.
    case readAll(Refinement, offset: Int, limit: Int)
    /// Rows, each of which has its id or, where nil is given, is given one.
    case write([(EntryID?, TableRow)])
    /// Removes the rows of ids.
    case remove([EntryID])
    /// Removes the rows that a condition holds for.
    case removeAll(Predicate?)
  }

  package static let abilities: StoreAbilities = [.ids, .all, .object, .refinement, .rows]

  package let table: TableDescription
  private let queue: DatabaseQueue<DatabaseSteps<TableRow>, TableRow>
  private let statements: TableStatements

  /// The table in a file. Throws `illegalArgument` for what is no path.
  package init(
    path: String, _ table: TableDescription, busyTimeout: Duration,
    among workers: StoreWorkers = StoreWorkers()
  ) throws(DataSourceError) {
    if path.isEmpty || path.utf8.contains(0) {
      throw DataSourceError(.illegalArgument, "a path is neither empty nor holds NUL")
    }
    self.table = table
    statements = TableStatements(table)
    let schema = TableSchema(table: table)
    queue = DatabaseQueue(
      DatabaseFile(
        busyTimeout: busyTimeout, ending: workers.ending,
        prepare: { database throws(DatabaseError) in try schema.prepare(database) },
        place: { () throws(DataSourceError) in path.asFile }), among: workers)
  }

  /// Does the work on the worker of the file; what was written is answered as it now stands.
  package func submit(
    _ work: Work, _ canceller: (any Canceller)?,
    reply: @escaping @Sendable (Result<[TableRow?], DataSourceError>) -> Void
  ) {
    do throws(DataSourceError) {
      let steps = try statements.steps(of: work)
      queue.submit(
        work.kind, canceller,
        { database throws(DataSourceError) in
          guard let database else { return work.answerWithoutFile }
          return try steps(database)
        }, reply: reply)
    } catch {
      reply(.failure(error))
    }
  }

  /// The row of an id, nil where there is none; nil instead of that when the work is to be
  /// submitted.
  package func readAtOnce(_ id: EntryID) -> TableRow?? {
    queue.readAtOnce { [statements] database throws(DataSourceError) in
      .some(try statements.read(id, database))
    }
  }
}

extension TableStore.Work {
  fileprivate var kind: DatabaseWork {
    switch self {
    case .read(let ids): ids.count == 1 ? .readingOnce : .reading
    case .readAll: .readingOnce
    case .write(let rows): rows.count == 1 ? .writingOnce : .writing
    case .remove(let ids): ids.count == 1 ? .writingOnce : .writing
    case .removeAll: .writingOnce
    }
  }

  fileprivate var answerWithoutFile: [TableRow?] {
    if case .read(let ids) = self { ids.map { _ in nil } } else { [] }
  }
}
