/// A stream that delivers through a hub of its own.
protocol HubOwner<Item>: SubscriptionOwner {
  associatedtype Held: Sendable
  /// Its delivery.
  var hub: Hub<Item, Held> { get }
  /// Called after every joining and leaving, with no lock held: compare `subscriberCount` with
  /// what is attached.
  func observationChanged()
}

/// The first thing a new subscriber receives.
struct Greeting<Item: Sendable>: Sendable {
  let part: Part
  let makeItem: @Sendable () -> Item?
}

extension HubOwner {
  func isRunning(_ subscription: Subscription<Item>) -> Bool {
    hub.isAt(subscription)
  }

  func release(_ subscription: Subscription<Item>) {
    hub.remove(subscription)
    observationChanged()
  }

  func observationChanged() {}

  /// Adds a subscriber; `greeting` is asked once, under the lock, at the place of the
  /// subscription.
  func open(
    hearsParts: Bool = false, _ receiver: Receiver<Item>,
    greeting: (Hub<Item, Held>.State) -> Greeting<Item>? = { _ in nil }
  ) -> Connection {
    let subscription = Subscription(receiver, hearsParts: hearsParts, owner: self)
    hub.join(subscription, greeting: greeting, joined: observationChanged)
    return Connection(closing: subscription)
  }
}
