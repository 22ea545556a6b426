/// A value that can be read, set and observed.
///
/// A set is a transaction, even if the new value equals the old one. The value is stored before any
/// sink receives it. Every call is allowed on every thread, inside sinks too.
public final class Variable<Value: Sendable>: UpdatableValue {
  let broadcaster: Broadcaster<Step<Value>, Transaction<Value>>
  let receivers = Receivers<Value>()

  /// Makes a variable that holds `value`, with a limit on the sets of a cascade, at least 1.
  public init(_ value: Value, cascadeLimit: Int = 100_000) {
    broadcaster = Broadcaster(cascadeLimit: cascadeLimit, held: Transaction(value))
  }

  /// The present value; setting one that is refused leaves the old value in place.
  public var value: Value {
    get { broadcaster.read { $0.value } }
    set { set(newValue) }
  }

  /// How many subscriptions are open on it and on its views.
  public var subscriberCount: Int { broadcaster.subscriberCount }

  /// How many sets one cascade may have, the one that began it included; at least 1.
  public var cascadeLimit: Int {
    get { broadcaster.cascadeLimit }
    set { broadcaster.cascadeLimit = newValue }
  }

  /// Stores a value and announces it, in the open transaction or else in one of its own.
  ///
  /// It is refused, and nothing stored, when the cascade it belongs to is full.
  @_optimize(speed)
  @discardableResult
  public func set(_ value: Value) -> Delivery {
    // The former value, once it is stored.
    var other = value
    if broadcaster.sendWhole(
      { held, place in held.storeWhole(&other, at: place) },
      { .end(latest: value, changedAt: $0) })
    {
      return .delivered
    }
    let (spent, delivery) = broadcaster.place { state, isInside in
      state.held.set(value, in: &state.queue, isInside: isInside)
    }
    return spent == nil ? .refused(.cascadeLimit) : delivery
  }

  /// Stores a value and announces it, if the present one satisfies a condition; nil if not.
  ///
  /// The condition is asked under the lock.
  func set(_ value: Value, if isCurrent: (Value) -> Bool) -> Delivery? {
    // The former value, once it is stored.
    var other = value
    if broadcaster.sendWhole(
      { held, place in isCurrent(held.value) && held.storeWhole(&other, at: place) },
      { .end(latest: value, changedAt: $0) })
    {
      return .delivered
    }
    let (outcome, delivery) = broadcaster.place { state, isInside -> Transaction<Value>.Spent?? in
      guard isCurrent(state.held.value) else { return nil }
      return .some(state.held.set(value, in: &state.queue, isInside: isInside))
    }
    guard let spent = outcome else { return nil }
    return spent == nil ? .refused(.cascadeLimit) : delivery
  }

  /// Runs `body` inside a transaction, which ends however `body` does.
  public func withTransaction<Result>(_ body: () throws -> Result) rethrows -> Result {
    begin()
    defer { close() }
    return try body()
  }

  /// Opens a transaction, or joins the one that is open.
  public func begin() {
    _ = broadcaster.place { state, isInside in
      state.held.begin(in: &state.queue, isInside: isInside)
    }
  }

  /// Ends one `begin`; the outermost end closes the transaction.
  ///
  /// Throws `notInTransaction`, and changes nothing, when none is open.
  public func end() throws(StreamError) {
    guard close() else { throw .notInTransaction }
  }

  @discardableResult
  private func close() -> Bool {
    broadcaster.place { state, isInside in state.held.end(in: &state.queue, isInside: isInside) }
      .result
  }

  /// Begin, each change as it is made, and end of every transaction.
  public var updates: any ValueStream<TransactionEvent<ValueChange<Value>>> { Updates(owner: self) }

  /// Adds a sink, which receives the present value and then the newest of every transaction.
  public func subscribe(_ sink: Sink<Value>) -> Connection { joinValues(sink) }
}

extension Variable: HeldValue {
  typealias Item = Step<Value>
  typealias Held = Transaction<Value>

  static func transaction(in held: Transaction<Value>) -> Transaction<Value>? { held }
}

extension Variable: OrderedStream {}
