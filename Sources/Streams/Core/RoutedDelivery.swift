import Ground
import Synchronization

/// Delivery in the order of a route: values take their places here and are delivered when the route
/// reaches them. One thread at a time delivers.
extension Broadcaster where Held == PublinkMemory<Item> {
  /// Adds a subscriber in the place of the one that `replace` names, or at the end, and places its
  /// initial value, if there is one: the given one, or the last value.
  func add(
    _ subscription: Subscription<Item>, initialValue given: Item?,
    replacing replace: (inout [SubscriberKey: NamedSubscription<Item>]) -> Subscription<Item>?
  ) -> UInt64? {
    state.withLock { state in
      let isBusy = position.load(ordering: .acquiring) != Self.idle
      state.queue.join(subscription, replacing: replace(&state.held.names))
      guard state.held.replaysLast, let last = given ?? state.held.last else { return nil }
      // Beyond the limit the initial value is dropped, not the subscription.
      let isInside = isBusy && state.queue.isInsideSink()
      guard let root = state.queue.admit(inside: isInside) else { return nil }
      let initialValue = DirectedValue(part: .whole) { last }
      state.queue.append(initialValue, of: subscription, root: root)
      return state.queue.lastPlace
    }
  }

  /// Delivers one value at its place, after the initial values placed before it.
  func deliver(_ item: Item, at place: UInt64) {
    deliverInitialValues(through: place)
    let members = state.withLock { state in
      position.store(Self.draining, ordering: .relaxed)
      return state.queue.subscribers.members
    }
    pass(item, place, members, false)
    rest()
  }

  /// Delivers the initial values placed up to here.
  func deliverInitialValues(through place: UInt64) {
    while let (subscription, makeItem) = nextInitialValue(through: place) {
      deliver(.directed(subscription, makeItem, more: false))
      rest()
    }
  }

  /// Releases every subscriber and all queued values.
  func removeAllSubscribers() {
    let (subscribers, waiting, names) = state.withLock { state in
      let (subscribers, waiting) = state.queue.takeEverything()
      defer { state.held.names = [:] }
      return (subscribers, waiting, state.held.names)
    }
    for member in subscribers.members { member.subscription?.close() }
    withExtendedLifetime((waiting, names)) {}
  }

  private func nextInitialValue(
    through place: UInt64
  ) -> (Subscription<Item>, @Sendable () -> Item?)? {
    state.withLock { state in
      while let entry = state.queue.next(through: place) {
        guard case .directed(let subscription, let makeItem) = entry.content else { continue }
        position.store(Self.draining, ordering: .relaxed)
        return (subscription, makeItem)
      }
      return nil
    }
  }

  private func rest() {
    state.withLock { _ in position.store(Self.idle, ordering: .sequentiallyConsistent) }
  }
}
