/// A stream that delivers through a broadcaster of its own.
protocol BroadcasterOwner<Item>: SubscriptionOwner {
  associatedtype Held: Sendable
  /// Its delivery.
  var broadcaster: Broadcaster<Item, Held> { get }
  /// Called after every subscription and its end, with no lock held: compare `subscriberCount` with
  /// the attached inputs.
  func observationChanged()
}

/// A value for one subscriber only: its initial value, or one that an operator makes for it.
struct DirectedValue<Item: Sendable>: Sendable {
  let part: Part
  let makeItem: @Sendable () -> Item?
}

extension BroadcasterOwner {
  func isRunning(_ subscription: Subscription<Item>) -> Bool {
    broadcaster.isAt(subscription)
  }

  func release(_ subscription: Subscription<Item>) {
    broadcaster.remove(subscription)
    observationChanged()
  }

  func observationChanged() {}

  /// Adds a subscriber; `initialValue` is called once, under the lock, at the place of the
  /// subscription.
  func open(
    _ receiver: SubscriberCallbacks<Item>,
    initialValue: (Broadcaster<Item, Held>.State) -> DirectedValue<Item>? = { _ in nil }
  ) -> Connection {
    let subscription = Subscription(receiver, hearing: .ends, owner: self)
    broadcaster.join(subscription, initialValue: initialValue, joined: observationChanged)
    return Connection(closing: subscription)
  }
}
