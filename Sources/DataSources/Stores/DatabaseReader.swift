import Ground
import Machine

/// A second connection to an SQLite file that is open, for what is read on the threads of callers.
///
/// With a write-ahead log it waits for no writer. It never waits for other processes: what is busy
/// is left to the store's own thread.
final class DatabaseReader: Sendable {
  private struct Opened {
    let database: Database
    let path: String
    let identity: FileIdentity
    /// When the path was last seen to lead to this file, on CLOCK_MONOTONIC in nanoseconds.
    var checked: Int64
  }

  // A reader of one row holds it.
  private let opened = Lock<Opened?>(nil, rank: .device)
  private let fork = ForkGuard()

  /// What is larger takes a while to be read, and is left to the store's own thread.
  private static let mostBytes: Int32 = 1 << 16
  /// For how long a file that was there is taken to be there still: 100 ms.
  private static let trust: Int64 = 100_000_000

  /// Opens a file that exists; does nothing if one is open, or if it cannot be opened.
  func open(_ path: String, _ identity: FileIdentity?) {
    guard let identity, !opened.withLock({ $0 != nil }),
      let database = try? Database(path, for: .reading, busyTimeout: 0)
    else { return }
    database.limitValues(to: Self.mostBytes)
    let new = Opened(database: database, path: path, identity: identity, checked: .min)
    opened.withLock { $0 = new }
  }

  /// Closes it, if it is open.
  func close() {
    // In a fork's child the lock may be shut for ever.
    if fork.isForked { return }
    let former = opened.withLock { $0.take() }
    withExtendedLifetime(former) {}
  }

  /// What a body reads; nil if nothing is open, if the path leads to another file now, if reading
  /// fails, and if the body answers nil.
  func read<Found>(_ body: (Database) throws(DataSourceError) -> Found?) -> Found? {
    opened.withLock { opened in
      guard let database = Self.current(&opened) else { return nil }
      return (try? body(database)) ?? nil
    }
  }

  private static func current(_ opened: inout Opened?) -> Database? {
    guard let known = opened else { return nil }
    let now = Monitor<Void>.moment(after: 0)
    // Compared so that the first time, long ago, does not overflow.
    if known.checked < now - trust {
      guard FileIdentity(known.path) == known.identity else { return nil }
      opened?.checked = now
    }
    return known.database
  }
}
