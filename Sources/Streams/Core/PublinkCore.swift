import Ground

/// The part of a publink that outlives its handle: its list, its order and its memory.
@usableFromInline
package final class PublinkCore<Value: Sendable>: Sendable {
  let broadcaster: Broadcaster<Value, PublinkMemory<Value>>
  private let route = Lock(WeakRoute<Value>(object: nil))

  /// Makes the core of a publink to which nothing was published.
  @usableFromInline
  package init(replaysLast: Bool = true, cascadeLimit: Int = 100_000) {
    broadcaster = Broadcaster(
      cascadeLimit: cascadeLimit, held: PublinkMemory(replaysLast: replaysLast))
  }

  /// Notifies a route of subscriptions and their ends from now on; the route is not kept.
  @usableFromInline
  package func attach(to route: any PublinkRoute<Value>) {
    self.route.withLock { $0 = WeakRoute(object: route) }
  }

  /// How many subscriptions are open.
  @usableFromInline
  package var subscriberCount: Int { broadcaster.subscriberCount }

  /// Releases every subscriber at once.
  @usableFromInline
  package func removeAllSubscribers() { broadcaster.removeAllSubscribers() }

  fileprivate func observationChanged() {
    route.withLock { $0.object }?.observationChanged()
  }

  // MARK: For routes, which deliver in its place, one thread at a time

  /// Gives a value its place in the order.
  @usableFromInline
  package func takePlace() -> UInt64 { broadcaster.state.withLock { $0.queue.takePlace() } }

  /// Delivers a value that has its place, behind initial values that were placed before it.
  @usableFromInline
  package func deliver(_ value: Value, at place: UInt64) { broadcaster.deliver(value, at: place) }

  /// Delivers the initial values that have their places up to this one.
  @usableFromInline
  package func deliverInitialValues(through place: UInt64) {
    broadcaster.deliverInitialValues(through: place)
  }

  /// Makes a subscription that does not keep the owner of this core alive, for `join`.
  @usableFromInline
  package func makeLooseSubscription(
    _ receive: @escaping @Sendable (Value) -> Void
  ) -> Subscription<Value> {
    Subscription(SubscriberCallbacks(receive), hearing: .ends, owner: LooseOwner(self))
  }

  /// Adds such a subscription, and places its initial value, if there is one.
  @usableFromInline
  package func join(_ subscription: Subscription<Value>, initialValue: Value?) -> UInt64? {
    broadcaster.add(subscription, initialValue: initialValue) { _ in nil }
  }
}

/// Who delivers for a publink that does not deliver itself, in an order of its own.
@usableFromInline
package protocol PublinkRoute<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable
  /// How long a cascade may be.
  var cascadeLimit: Int { get set }
  /// Publishes by the rules of the route.
  func publish(_ value: Value) -> Delivery
  /// The last value published; nil while there is none.
  var last: Value? { get }
  /// Runs `take` with the initial value of a new subscriber, if there is one, at a place in the
  /// order of the route; `take` answers the place the initial value has in the publink's.
  func placeInitialValue(_ take: (Value?) -> UInt64?)
  /// Delivers the placed values, if this thread may deliver now.
  func deliver()
  /// A subscriber was added or removed.
  func observationChanged()
  /// A subscription was opened by way of this route, and has not received its initial value yet.
  func opened(_ subscription: any Closable)
}

struct WeakRoute<Value: Sendable>: Sendable {
  weak var object: (any PublinkRoute<Value>)?
}

/// The state of a publink besides its list.
struct PublinkMemory<Value: Sendable>: Sendable {
  /// Nil while nothing was published; a route remembers in its place.
  private(set) var last: Value?
  var replaysLast: Bool
  var names: [SubscriberKey: NamedSubscription<Value>] = [:]

  init(replaysLast: Bool) {
    self.replaysLast = replaysLast
  }

  /// Stores a value as the last; the caller releases the former one.
  mutating func remember(_ value: Value) -> Value? {
    defer { last = value }
    return last
  }

  /// The subscriber under a key whose object was freed: another object may have the address by now.
  mutating func takeDead(_ key: SubscriberKey) -> Subscription<Value>? {
    guard let named = names[key], named.object.object == nil else { return nil }
    names[key] = nil
    return named.subscription
  }
}

struct NamedSubscription<Value: Sendable>: Sendable {
  let subscription: Subscription<Value>
  let object: WeakObject
}

struct WeakObject: Sendable {
  weak let object: (any AnyObject & Sendable)?
}

/// The key that identifies a subscriber.
enum SubscriberKey: Hashable, Sendable {
  case name(ExactName)
  case object(ObjectIdentifier)
}

/// A name compared by its bytes; equal texts may be spelt in two ways.
struct ExactName: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: ExactName, right: ExactName) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}

/// The owner of subscriptions that keep nothing alive.
final class LooseOwner<Value: Sendable>: SubscriptionOwner {
  typealias Item = Value

  private weak let core: PublinkCore<Value>?

  init(_ core: PublinkCore<Value>) {
    self.core = core
  }

  func isRunning(_ subscription: Subscription<Value>) -> Bool {
    core?.broadcaster.isAt(subscription) ?? false
  }

  func release(_ subscription: Subscription<Value>) {
    core?.broadcaster.remove(subscription)
    core?.observationChanged()
  }
}
