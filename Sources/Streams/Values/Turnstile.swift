/// Lets events through one at a time and in order, whichever threads bring them.
///
/// Who finds it free handles its own event and those that came meanwhile; anybody else, a handler
/// included, leaves the event and goes on. No lock is held while one is handled.
final class Turnstile<Event: Sendable>: Sendable {
  private struct State: Sendable {
    var isBusy = false
    var waiting = FIFO<Event>()
  }

  private let state = Guarded(State())

  func pass(_ event: Event, _ handle: (Event) -> Void) {
    let isMine = state.withLock { state in
      if state.isBusy {
        state.waiting.append(event)
        return false
      }
      state.isBusy = true
      return true
    }
    guard isMine else { return }
    handle(event)
    while let next = state.withLock(next) { handle(next) }
  }

  private func next(_ state: inout State) -> Event? {
    guard let event = state.waiting.popFirst() else {
      state.isBusy = false
      return nil
    }
    return event
  }
}
