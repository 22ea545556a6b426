import Ground

/// Handles events one at a time and in order, from any number of threads.
///
/// A caller that finds it idle handles its own event and those that arrive meanwhile; any other
/// caller, including a handler, queues its event and returns. No lock is held while an event is
/// handled. An event queued by a handler joins the cascade of the event being handled.
final class SerialEventQueue<Event: Sendable>: Sendable {
  private struct Arrival: SerialEntry {
    let root: UInt64
    let event: Event
    let hasRoom: Bool
  }

  private let queue: Lock<SerialQueue<Arrival>>

  init(cascadeLimit: Int = 100_000) {
    queue = Lock(SerialQueue(cascadeLimit: cascadeLimit))
  }

  /// How many events that count one cascade may have.
  var cascadeLimit: Int {
    get { queue.withLock { $0.cascadeLimit } }
    set { queue.withLock { $0.cascadeLimit = newValue } }
  }

  /// Hands `event` to `handle`, with whether its cascade has room for it, if it counts.
  func pass(_ event: Event, counts: Bool = false, _ handle: (Event, _ hasRoom: Bool) -> Void) {
    let first = queue.withLock { queue -> Arrival? in
      if queue.isDraining {
        let isInside = queue.isInside
        let root = counts ? queue.admit(isInside: isInside) : queue.root(isInside: isInside)
        queue.append(Arrival(root: root ?? queue.currentRoot, event: event, hasRoom: root != nil))
        _ = queue.takeNumber()
        return nil
      }
      queue.start()
      return Arrival(root: queue.enter(), event: event, hasRoom: true)
    }
    guard let first else { return }
    handle(first.event, first.hasRoom)
    while let next = queue.withLock(Self.next) { handle(next.event, next.hasRoom) }
  }

  /// Runs `body` as an event of its own if it is idle, and then handles what has come meanwhile;
  /// false, and nothing is done, if it is not.
  @inline(__always)
  func runIfIdle(_ body: () -> Void, _ handle: (Event, _ hasRoom: Bool) -> Void) -> Bool {
    let isMine = queue.withLock { queue in
      if queue.isDraining { return false }
      queue.start()
      _ = queue.enter()
      return true
    }
    guard isMine else { return false }
    body()
    while let next = queue.withLock(Self.next) { handle(next.event, next.hasRoom) }
    return true
  }

  private static func next(_ queue: inout SerialQueue<Arrival>) -> Arrival? {
    guard let next = queue.next() else {
      queue.stop()
      return nil
    }
    return next
  }
}
