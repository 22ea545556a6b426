/// A stream to send into. Every call is allowed on every thread, inside sinks too.
///
/// Its guarantees (streams 2.1 and 2.2):
///
/// - **One order** (L1): every send and every subscription takes its place at the moment of the
///   call.
/// - **Exactly once** (L2): until it is disconnected, a sink receives every value placed after its
///   subscription, once each, in order. A value without a subscriber is discarded.
/// - **Queued, never nested** (L3): a send to an idle stream calls every sink before it returns; a
///   send to a busy one, from inside a sink or from another thread, is queued and returns at once.
/// - **One at a time** (L4, L5): at most one sink runs, in subscription order, and every sink has
///   had a value before any sink is given the next one.
/// - **Joining and leaving** (L6, L7): a subscription made during a delivery misses the value in
///   delivery and those queued before it; a sink disconnected before its turn is not called again.
/// - **Disconnect never waits** (L8, L9): once it has returned, no call of that sink begins.
/// - **Cascades end** (L12): what sinks send back is refused beyond `cascadeLimit`; the stack does
///   not grow.
/// - **The connection owns** (L14, L15): it keeps the stream and the sink, each let go once, and
///   never while the sink runs. No lock is held while a sink runs (L13).
public final class Signal<Value: Sendable>: ValueStream {
  let broadcaster: Broadcaster<Value, Void>

  /// Makes a signal with a limit on the values of a cascade, at least 1.
  public init(cascadeLimit: Int = 100_000) {
    broadcaster = Broadcaster(cascadeLimit: cascadeLimit, held: ())
  }

  /// The number of open subscriptions, including those that still wait behind a queue.
  public var subscriberCount: Int { broadcaster.subscriberCount }

  /// How many values one cascade may have, the one that began it included; at least 1.
  public var cascadeLimit: Int {
    get { broadcaster.cascadeLimit }
    set { broadcaster.cascadeLimit = newValue }
  }

  /// Sends a value to every subscriber, in the order of their subscriptions.
  ///
  /// It is refused when the cascade it belongs to is full, and discarded when there is no
  /// subscriber.
  @discardableResult
  public func send(_ value: Value) -> Delivery { broadcaster.send(value) }

  /// Gives a value its place in the order without delivering it.
  ///
  /// The next `flush` or `send`, or a drain that is running, delivers it.
  @discardableResult
  public func enqueue(_ value: Value) -> Delivery { broadcaster.enqueue(value) }

  /// Delivers enqueued values. On a busy stream the running drain delivers them, and this does
  /// nothing.
  public func flush() { broadcaster.flush() }

  /// Adds a sink, which receives every value placed after this call until it is disconnected.
  public func subscribe(_ sink: Sink<Value>) -> Connection {
    open(SubscriberCallbacks(sink.receive))
  }
}

extension Signal: BroadcasterOwner {
  typealias Item = Value
  typealias Held = Void
}
