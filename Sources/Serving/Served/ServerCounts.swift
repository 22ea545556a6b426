import Recording
import Synchronization

/// What the server counts of itself (serve W32). Every call is allowed on any thread.
public final class ServerCounts: Sendable {
  private let present = Atomic(0)
  private let lost = Atomic<UInt64>(0)

  /// A client has come; how many there are now.
  public func connectionCame() -> Int { present.add(1, ordering: .relaxed).newValue }

  /// A client is gone; how many are left.
  public func connectionWent() -> Int { present.subtract(1, ordering: .relaxed).newValue }

  /// How many clients are connected.
  var connections: Int { present.load(ordering: .relaxed) }

  /// Rows that all streams together have lost.
  var lostRows: UInt64 { lost.load(ordering: .relaxed) }

  func lose(_ rows: Int) { lost.add(UInt64(rows), ordering: .relaxed) }
}
