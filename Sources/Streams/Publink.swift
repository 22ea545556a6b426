import Ground

/// A signal with a memory and with names.
///
/// A new subscriber first receives the last value published, if there was one. Anonymous and named
/// subscribers stand in one list. Every call is allowed on every thread.
public final class Publink<Value: Sendable>: ValueStream {
  let core: PublinkCore<Value>
  /// The route that delivers in its place and lives as long as this handle: that of a patch's port.
  package let route: (any PublinkRoute<Value>)?
  private let keeper: (any AnyObject & Sendable)?

  /// Whether it is a port's, which delivers on its loop.
  package var isPort: Bool { route != nil }

  /// Makes a publink to which nothing was published.
  ///
  /// A cascade may have `cascadeLimit` values, at least 1.
  public init(replaysLast: Bool = true, cascadeLimit: Int = 100_000) {
    core = PublinkCore(replaysLast: replaysLast, cascadeLimit: cascadeLimit)
    route = nil
    keeper = nil
  }

  /// Makes a handle of a port, which keeps `keeper` alive.
  package init(
    core: PublinkCore<Value>, route: any PublinkRoute<Value>, keeper: any AnyObject & Sendable
  ) {
    self.core = core
    self.route = route
    self.keeper = keeper
  }

  /// Whether new subscribers receive the last value first; read at each subscription.
  public var replaysLast: Bool {
    get { core.broadcaster.read { $0.replaysLast } }
    set { core.broadcaster.state.withLock { $0.held.replaysLast = newValue } }
  }

  /// Whether something was ever published; null is a value like any other.
  public var hasPublished: Bool { last != nil }

  /// The last value published; nil while there is none.
  public var last: Value? {
    if let route { return route.last }
    return core.broadcaster.read { $0.last }
  }

  /// How many subscriptions are open, named ones included.
  public var subscriberCount: Int { core.broadcaster.subscriberCount }

  /// The most values of a cascade, including the one that began it; at least 1. The limit of a port
  /// is that of its loop.
  public var cascadeLimit: Int {
    get { route?.cascadeLimit ?? core.broadcaster.cascadeLimit }
    set {
      if let route {
        route.cascadeLimit = newValue
      } else {
        core.broadcaster.cascadeLimit = newValue
      }
    }
  }

  /// Sends a value to every subscriber; it is the last value from this moment on.
  ///
  /// A refused value does not become the last value.
  @discardableResult
  public func publish(_ value: Value) -> Delivery {
    if let route { return route.publish(value) }
    let (spent, delivery) = core.broadcaster.place { state, isInside -> Spent<Value>? in
      guard !state.queue.subscribers.isEmpty else {
        return Spent(value: state.held.remember(value))
      }
      guard let root = state.queue.admit(inside: isInside) else { return nil }
      let former = state.held.remember(value)
      _ = state.queue.append(value, root: root)
      return Spent(value: former)
    }
    return spent == nil ? .refused(.cascadeLimit) : delivery
  }

  /// Adds a sink, which receives the last value, if there is one, and then every value published.
  public func subscribe(_ sink: Sink<Value>) -> Connection {
    let subscription = Subscription(
      SubscriberCallbacks(receiveInitial: sink.receiveInitial, sink.receive), hearing: .ends,
      owner: self)
    add(subscription, as: nil)
    return Connection(closing: subscription)
  }

  /// Adds a subscriber under a name, or replaces the one of that name in its place in the list.
  ///
  /// It lasts until it is removed or replaced, or the publink is freed. It does not keep the
  /// publink.
  public func subscribe(named name: String, _ receive: @escaping @Sendable (Value) -> Void) {
    subscribe(named: name, Sink(receive))
  }

  /// The same for a sink.
  package func subscribe(named name: String, _ sink: Sink<Value>) {
    subscribe(
      as: .name(ExactName(name)),
      SubscriberCallbacks(receiveInitial: sink.receiveInitial, sink.receive))
  }

  /// Removes the subscriber of a name; an unknown name is no error.
  public func unsubscribe(_ name: String) {
    unsubscribe(.name(ExactName(name)))
  }

  /// Adds or replaces the one subscriber that stands for an object, which is not kept.
  package func subscribe<Object: AnyObject & Sendable>(
    for object: Object, _ receive: @escaping @Sendable (Value) -> Void
  ) {
    let callbacks = SubscriberCallbacks<Value> { [weak object] value in
      if object != nil { receive(value) }
    }
    let key = SubscriberKey.object(ObjectIdentifier(object))
    core.broadcaster.state.withLock { $0.held.takeDead(key) }?.close()
    subscribe(as: key, callbacks, of: object)
  }

  /// Removes the subscriber that stands for an object.
  package func unsubscribe(for object: AnyObject) {
    unsubscribe(.object(ObjectIdentifier(object)))
  }

  // MARK: Below

  private func subscribe(
    as key: SubscriberKey, _ callbacks: SubscriberCallbacks<Value>,
    of object: (any AnyObject & Sendable)? = nil
  ) {
    let owner = LooseOwner(core)
    let subscription = Subscription(callbacks, hearing: .ends, owner: owner)
    add(subscription, as: Name(key: key, object: WeakObject(object: object)))
  }

  private func unsubscribe(_ key: SubscriberKey) {
    core.broadcaster.state.withLock { $0.held.names.removeValue(forKey: key)?.subscription }?
      .close()
  }

  private struct Name: Sendable {
    let key: SubscriberKey
    let object: WeakObject
  }

  /// Takes a place in the list and in the order, and sees to the initial value.
  private func add(_ subscription: Subscription<Value>, as name: Name?) {
    let former = ReplacedSubscription<Value>()
    let take = { [core] (initialValue: Value?) -> UInt64? in
      core.broadcaster.add(subscription, initialValue: initialValue) { names in
        guard let name else { return nil }
        let entry = NamedSubscription(subscription: subscription, object: name.object)
        former.subscription = names.updateValue(entry, forKey: name.key)?.subscription
        return former.subscription
      }
    }
    if let route {
      route.placeInitialValue(take)
    } else {
      _ = take(nil)
    }
    former.subscription?.close()
    if let route {
      route.observationChanged()
      route.opened(subscription)
      route.deliver()
    } else {
      core.broadcaster.flush()
    }
  }
}

extension Publink: BroadcasterOwner {
  typealias Item = Value
  typealias Held = PublinkMemory<Value>

  var broadcaster: Broadcaster<Value, PublinkMemory<Value>> { core.broadcaster }

  func observationChanged() { route?.observationChanged() }
}

/// Objects a call no longer needs, to be released outside the lock.
private struct Spent<Value: Sendable>: Sendable {
  var value: Value?
}

/// Who is replaced; touched by the one thread that subscribes.
private final class ReplacedSubscription<Value: Sendable>: Sendable {
  private let state = Lock<Subscription<Value>?>(nil)
  var subscription: Subscription<Value>? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension Publink: OrderedStream {}
