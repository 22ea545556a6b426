import Ground

/// Lets events through one at a time and in order, whichever threads bring them.
///
/// A caller that finds it free handles its own event and those that came meanwhile; any other, a
/// handler included, leaves its event and goes on. No lock is held while an event is handled. What
/// is brought from inside a handler joins the cascade of the event being handled.
final class Turnstile<Event: Sendable>: Sendable {
  private struct Entry: Sendable {
    let event: Event
    let root: UInt64
    let hasRoom: Bool
  }

  private struct State: Sendable {
    var isBusy = false
    var waiting = FIFO<Entry>()
    var handler: UInt = 0
    var currentRoot: UInt64 = 0
    var lastRoot: UInt64 = 0
    var cascades: Cascades
  }

  private let state: Lock<State>

  init(cascadeLimit: Int = 100_000) {
    state = Lock(State(cascades: Cascades(limit: cascadeLimit)))
  }

  /// How many events that count one cascade may have.
  var cascadeLimit: Int {
    get { state.withLock { $0.cascades.limit } }
    set { state.withLock { $0.cascades.limit = newValue } }
  }

  /// Hands `event` to `handle`, with whether its cascade has room for it, if it counts.
  func pass(_ event: Event, counts: Bool = false, _ handle: (Event, _ hasRoom: Bool) -> Void) {
    let first = state.withLock { state -> Entry? in
      let entry = Self.entry(of: event, counts: counts, in: &state)
      if state.isBusy {
        state.waiting.append(entry)
        return nil
      }
      state.isBusy = true
      state.handler = CurrentThread.identity
      state.currentRoot = entry.root
      return entry
    }
    guard let first else { return }
    handle(first.event, first.hasRoom)
    while let next = state.withLock(Self.next) { handle(next.event, next.hasRoom) }
  }

  private static func entry(of event: Event, counts: Bool, in state: inout State) -> Entry {
    guard state.isBusy, state.handler == CurrentThread.identity else {
      state.lastRoot &+= 1
      return Entry(event: event, root: state.lastRoot, hasRoom: true)
    }
    if state.cascades.needsPurge {
      var roots: Set<UInt64> = [state.currentRoot]
      state.waiting.forEach { roots.insert($0.root) }
      state.cascades.keepOnly(roots)
    }
    let hasRoom = !counts || state.cascades.grow(state.currentRoot)
    return Entry(event: event, root: state.currentRoot, hasRoom: hasRoom)
  }

  private static func next(_ state: inout State) -> Entry? {
    guard let entry = state.waiting.popFirst() else {
      state.isBusy = false
      state.cascades.forgetAll()
      return nil
    }
    state.currentRoot = entry.root
    return entry
  }
}
