import CLinux
import Glibc
public import Ground

/// An open SQLite database.
///
/// It belongs to one thread at a time, `interrupt` apart. Statements are compiled once and kept. In
/// a fork's child it is neither used nor closed: its locks and shared memory are the parent's.
public final class Database {
  /// How a file is opened.
  public enum Access: Sendable {
    /// Only reading; a missing file is an error.
    case reading
    /// Reading and writing; a missing file is made, of mode 0600.
    case writing
  }

  private let sqlite: clinux_database
  private let connection: OpaquePointer
  private let wait: DatabaseWait
  private let fork = ForkGuard()
  private var statements: [String: DatabaseStatement] = [:]
  /// The statement that ran last. It is often the next one, too, found without hashing its text.
  private var latest: (sql: String, statement: DatabaseStatement)?

  /// Opens a file. Each call waits at most `busyTimeout` milliseconds while another process has
  /// locked it.
  ///
  /// `cancellation` ends that wait; statements run afterwards fail as `interrupted`.
  public init(
    _ path: String, for access: Access, busyTimeout: Int32, cancellation: Cancellation? = nil
  ) throws(DatabaseError) {
    wait = DatabaseWait(busyTimeout, cancellation)
    do throws(MissingLibrary) {
      sqlite = try Libsqlite.table()
    } catch {
      throw DatabaseError(error)
    }
    if access == .writing { try Self.make(path) }
    let isWriting = access == .writing
    let mode = isWriting ? CLINUX_SQLITE_READWRITE | CLINUX_SQLITE_CREATE : CLINUX_SQLITE_READONLY
    var opened: OpaquePointer?
    let code = sqlite.open_v2(path, &opened, mode | CLINUX_SQLITE_NOMUTEX, nil)
    guard let opened else { throw DatabaseError(code, message: "out of memory") }
    connection = opened
    // From here on the object is whole, and is closed by its deinit.
    _ = sqlite.extended_result_codes(connection, 1)
    try check(code)
    try check(sqlite.busy_handler(connection, waitForOthers, wait.context))
  }

  /// Opens a file that any number of processes may share and whose commits survive a power cut.
  ///
  /// It uses a write-ahead log if the file system supports it, which costs one synchronisation per
  /// commit, and otherwise a rollback journal. `prepare` is called first. If another process is
  /// preparing the same file, it is called again until `busyTimeout` milliseconds have passed.
  public static func durable(
    _ path: String, busyTimeout: Int32, cancellation: Cancellation? = nil,
    prepare: (Database) throws(DatabaseError) -> Void
  ) throws(DatabaseError) -> Database {
    let database = try Database(
      path, for: .writing, busyTimeout: busyTimeout, cancellation: cancellation)
    let limit = Monitor<Void>.moment(after: Int64(busyTimeout) * 1_000_000)
    while true {
      do throws(DatabaseError) {
        _ = try database.first("PRAGMA journal_mode=WAL")
        // EXTRA is FULL for a write-ahead log; for a journal it lasts only with EXTRA.
        try database.run("PRAGMA synchronous=EXTRA")
        try prepare(database)
        return database
      } catch {
        database.rollBack()
        // Changing the journal does not wait for others by itself.
        let isOver = Monitor<Void>.moment(after: 0) >= limit
        guard error.kind == .busy, !isOver else { throw error }
        usleep(2_000)
      }
    }
  }

  deinit {
    if fork.isForked { return }
    // A statement may still be held elsewhere: the connection then closes after it.
    (statements, latest) = ([:], nil)
    _ = sqlite.close_v2(connection)
  }

  /// Makes a statement that runs on another thread end soon with `interrupted` and without effect.
  /// Does nothing if none runs.
  public func interrupt() {
    if !fork.isForked { sqlite.interrupt(connection) }
  }

  /// Lets statements fail that meet a value or a row of more bytes than this.
  public func limitValues(to bytes: Int32) {
    _ = sqlite.limit(connection, CLINUX_SQLITE_LIMIT_LENGTH, bytes)
  }

  /// The error thrown last.
  public private(set) var lastError = DatabaseError(0, message: "")

  /// Whether a transaction is open.
  public var isInTransaction: Bool { sqlite.get_autocommit(connection) == 0 }

  /// How many rows the last statement that writes has inserted, changed or deleted.
  public var changedRows: Int { Int(sqlite.changes(connection)) }

  /// The row id the last inserted row was given.
  public var lastRowID: Int64 { sqlite.last_insert_rowid(connection) }

  /// Runs a statement with parameters, and passes each of its rows to `row` until that returns
  /// false.
  ///
  /// The row is valid during the call only.
  public func run(
    _ sql: String, _ parameters: [DatabaseValue] = [],
    row: (DatabaseRow) throws(DatabaseError) -> Bool = { _ throws(DatabaseError) in true }
  ) throws(DatabaseError) {
    let statement = try statement(sql)
    defer { statement.reset(hasParameters: !parameters.isEmpty) }
    var index: Int32 = 0
    for value in parameters {
      index += 1
      try check(statement.bind(value, at: index))
    }
    while true {
      switch statement.step() {
      case DatabaseStatement.row:
        let goesOn = try row(DatabaseRow(statement))
        if statement.isShort { throw DatabaseError(7, message: "out of memory") }
        if !goesOn { return }
      case DatabaseStatement.done: return
      case let code: try check(code)
      }
    }
  }

  /// Runs a statement that has no rows and is run often: `bind` gives its parameters, of which
  /// nothing else is made.
  public func perform(
    _ sql: String, _ bind: (inout DatabaseParameters) -> Void
  ) throws(DatabaseError) {
    let statement = try statement(sql)
    defer { statement.reset(hasParameters: true) }
    var parameters = DatabaseParameters(statement)
    bind(&parameters)
    try check(parameters.code)
    let code = statement.step()
    if code != DatabaseStatement.done { try check(code) }
  }

  /// The first column of the first row; NULL when there is no row.
  public func first(
    _ sql: String, _ parameters: [DatabaseValue] = []
  ) throws(DatabaseError) -> DatabaseValue {
    var found = DatabaseValue.null
    try run(sql, parameters) { row throws(DatabaseError) in
      found = row[0]
      return false
    }
    return found
  }

  /// Runs a body in one transaction, which is rolled back if the body throws or the commit fails.
  public func transaction<Output>(
    _ begin: String = "BEGIN IMMEDIATE", _ body: () throws(DatabaseError) -> Output
  ) throws(DatabaseError) -> Output {
    try run(begin)
    do throws(DatabaseError) {
      let answer = try body()
      try run("COMMIT")
      return answer
    } catch {
      rollBack()
      throw error
    }
  }

  /// Takes back the open transaction, if SQLite has not done so itself.
  public func rollBack() {
    if isInTransaction { try? run("ROLLBACK") }
  }

  private func statement(_ sql: String) throws(DatabaseError) -> DatabaseStatement {
    if fork.isForked { throw DatabaseError(21, message: "the process has forked") }
    if let latest, latest.sql == sql { return latest.statement }
    if let kept = statements[sql] {
      latest = (sql, kept)
      return kept
    }
    var prepared: OpaquePointer?
    let flags = UInt32(CLINUX_SQLITE_PERSISTENT)
    try check(sqlite.prepare_v3(connection, sql, -1, flags, &prepared, nil))
    guard let prepared else { throw DatabaseError(21, message: "an empty statement") }
    let made = DatabaseStatement(prepared, sqlite, fork)
    // Statements with a condition differ from call to call; the limit bounds their memory.
    if statements.count >= 32 { statements = [:] }
    statements[sql] = made
    latest = (sql, made)
    return made
  }

  private func check(_ code: Int32) throws(DatabaseError) {
    guard code != 0 else { return }
    // A cancelled wait did not time out.
    let isOver = code & 0xFF == DatabaseError.busy && wait.isInterrupted
    let error = DatabaseError(
      isOver ? DatabaseError.interrupted : code, systemCode: sqlite.system_errno(connection),
      message: sqlite.errmsg(connection).map { String(cString: $0) } ?? "")
    lastError = error
    throw error
  }

  /// Creates a file with mode 0600; SQLite's journals then have the same mode.
  private static func make(_ path: String) throws(DatabaseError) {
    // Not opened: closing it would take the locks another connection of this process has on it.
    guard mknod(path, S_IFREG | 0o600, 0) != 0 && errno != EEXIST else { return }
    let code = errno
    throw DatabaseError(14, systemCode: code, message: String(cString: strerror(code)))
  }
}
