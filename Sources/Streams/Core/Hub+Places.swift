import Ground
import Synchronization

/// Delivery in the order of a route: places are taken here, and what has one is delivered when the
/// route comes to it. One thread at a time delivers.
extension Hub where Held == PublinkMemory<Item> {
  /// Adds a subscriber in the place of the one that `replace` names, or at the end, and places its
  /// greeting, if there is one.
  func seat(
    _ subscription: Subscription<Item>,
    replacing replace: (inout [SubscriberKey: NamedSubscription<Item>]) -> Subscription<Item>?
  ) -> UInt64? {
    state.withLock { state in
      let isBusy = position.load(ordering: .acquiring) != Self.idle
      state.lane.join(subscription, replacing: replace(&state.held.names))
      guard state.held.replaysLast, let last = state.held.last else { return nil }
      // A greeting too many is dropped, not the subscription.
      let isInside = isBusy && state.lane.isInsideSink()
      guard let root = state.lane.admit(inside: isInside) else { return nil }
      let greets = state.held.greets
      let greeting = Greeting(part: .whole) { greets(last) }
      state.lane.append(greeting, of: subscription, root: root)
      return state.lane.lastPlace
    }
  }

  /// Delivers one value at its place, after the greetings placed before it.
  func deliver(_ item: Item, at place: UInt64) {
    greet(through: place)
    let members = state.withLock { state in
      position.store(Self.draining, ordering: .relaxed)
      return state.lane.roster.members
    }
    members.withUnsafeBufferPointer { _ = pass(item, place, $0, false) }
    rest()
  }

  /// Delivers the greetings placed up to here.
  func greet(through place: UInt64) {
    while let (subscription, greeting) = nextGreeting(through: place) {
      deliver(.greeting(subscription, greeting, more: false))
      rest()
    }
  }

  /// Lets go of every subscriber and of what waits.
  func removeAllSubscribers() {
    let (roster, waiting, names) = state.withLock { state in
      let (roster, waiting) = state.lane.takeEverything()
      defer { state.held.names = [:] }
      return (roster, waiting, state.held.names)
    }
    for member in roster.members { member.subscription?.close() }
    withExtendedLifetime((waiting, names)) {}
  }

  private func nextGreeting(
    through place: UInt64
  ) -> (Subscription<Item>, @Sendable () -> Item?)? {
    state.withLock { state in
      while let (entry, _) = state.lane.next(through: place) {
        guard case .greeting(let subscription, let greeting) = entry.content else { continue }
        position.store(Self.draining, ordering: .relaxed)
        return (subscription, greeting)
      }
      return nil
    }
  }

  private func rest() {
    state.withLock { _ in position.store(Self.idle, ordering: .sequentiallyConsistent) }
  }
}
