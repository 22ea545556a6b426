import Ground

/// The room of something that takes rows as they are gathered, and may be full.
package final class RowRoom: Sendable {
  fileprivate let rows: @Sendable (_ width: Int) -> Int

  /// `rows` tells how many more rows of a width there is room for; called on any thread.
  package init(_ rows: @escaping @Sendable (_ width: Int) -> Int) { self.rows = rows }
}

/// How many rows a replay without pace brings at once: as many as all who take them have room for,
/// as long as no callback hears any.
final class ReplayLead: Sendable {
  /// No more rows than a session may hold back (sources L18).
  private static let limit = 4096

  private let rooms = WeakList<RowRoom>()
  private let isHeard = Lock<(@Sendable () -> Bool)?>(nil)

  /// Adds a room, until it is let go; `isHeard` tells whether callbacks hear rows at present.
  func add(_ room: RowRoom, isHeard: @escaping @Sendable () -> Bool) {
    self.isHeard.withLock { if $0 == nil { $0 = isHeard } }
    rooms.add(room)
  }

  /// How many rows of a width may come at once; 0 if they are to come at their moments.
  func rows(of width: Int) -> Int {
    guard let isHeard = isHeard.withLock({ $0 }), !isHeard() else { return 0 }
    let room = rooms.objects.map { $0.rows(max(width, 1)) }.min() ?? 0
    return max(0, min(room, Self.limit))
  }
}
