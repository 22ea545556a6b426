import Glibc
public import Ground

extension Database {
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
}

/// Which file a path leads to at a moment.
public struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// The file at a path; nil when there is none.
  public init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
