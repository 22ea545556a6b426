import Ground

/// The room of something that takes rows as they are gathered, and may be full.
package final class RowRoom: Sendable {
  fileprivate let rows: @Sendable (_ width: Int) -> Int

  /// `rows` tells how many more rows of a width there is room for; called on any thread.
  package init(_ rows: @escaping @Sendable (_ width: Int) -> Int) { self.rows = rows }
}

/// How many rows a replay without pace brings at once: as many as all who take them have room for,
/// as long as nothing of them is delivered on the loop.
final class ReplayLead: Sendable {
  /// No more rows than a session may hold back (sources L18).
  private static let limit = 4096

  private let rooms = WeakList<RowRoom>()
  private let posted = Lock<(@Sendable () -> UInt64)?>(nil)

  /// Adds a room, until it is let go; `posted` counts what the loop was given to deliver.
  func add(_ room: RowRoom, posted: @escaping @Sendable () -> UInt64) {
    self.posted.withLock { if $0 == nil { $0 = posted } }
    rooms.add(room)
  }

  /// How many rows of a width may come at once.
  func rows(of width: Int) -> Int {
    max(0, rooms.objects.map { $0.rows(max(width, 1)) }.min().map { min($0, Self.limit) } ?? 0)
  }

  /// Does something; whether there is something of it to deliver, as there may be before anything
  /// takes rows.
  func isHeard(_ body: () -> Void) -> Bool {
    let posted = posted.withLock { $0 }
    let before = posted?()
    body()
    return before == nil || posted?() != before
  }
}

extension Context {
  /// Lets a replay bring rows ahead for this; other contexts keep to their clock.
  package func bringAhead(into room: RowRoom) {
    pacer?.lead.add(room) { [dispatcher] in
      let mark = dispatcher.mark
      return mark.caused &+ mark.queued
    }
  }
}
