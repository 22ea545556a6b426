public import Ground
import Streams

/// A result that is there or will be: a value, or one error.
///
/// Any number of consumers, before or after, each called once in the order they were attached: on
/// the resolving thread, or on the queue given by `on(_:)`. Consumers never run under a lock nor
/// inside each other. Every call from any thread.
public final class Future<Value: Sendable>: Sendable {
  /// A value, or why there is none.
  public typealias Outcome = Result<Value, DataSourceError>

  @usableFromInline let memory: Lock<FutureMemory<Value>>
  @usableFromInline let resolved = Condition()
  @usableFromInline let queue: (any WorkQueue)?

  /// A pending future; cancelling it calls `onCancel`, once.
  @inlinable
  package init(
    on queue: (any WorkQueue)? = nil, onCancel: (@Sendable () -> Void)? = nil,
    intercept: (@Sendable (Outcome) -> Outcome)? = nil
  ) {
    memory = Lock(FutureMemory(onCancel: onCancel, intercept: intercept))
    self.queue = queue
  }

  /// A future that is resolved already.
  @inlinable
  public convenience init(_ outcome: Outcome) {
    self.init()
    resolve(outcome)
  }

  /// What a future has met so far (data sources L53).
  public enum State: Sendable {
    /// No consumer, no result.
    case blank
    /// A consumer, no result.
    case awaited
    /// A result, no consumer so far.
    case ready
    /// A result, and a consumer.
    case delivered
  }

  /// What it has met so far.
  @inlinable
  public var state: State { memory.withLock { $0.state } }

  /// The result; nil while it is pending.
  @inlinable
  public var outcome: Outcome? { memory.withLock { $0.outcome } }

  /// Calls `body` with the value, once there is one.
  @discardableResult
  public func then(_ body: @escaping @Sendable (Value) -> Void) -> Self {
    onCompletion { if case .success(let value) = $0 { body(value) } }
  }

  /// Calls `body` with the error, once there is one.
  @discardableResult
  public func fail(_ body: @escaping @Sendable (DataSourceError) -> Void) -> Self {
    onCompletion { if case .failure(let error) = $0 { body(error) } }
  }

  /// Calls `body` with the result, once there is one.
  @inlinable
  @discardableResult
  public func onCompletion(_ body: @escaping @Sendable (Outcome) -> Void) -> Self {
    attach(body)
    return self
  }

  /// Blocks until there is a result; `timeout` by the monotonic clock is the waiter's error only,
  /// nil waits for ever.
  @inlinable
  public func wait(timeout: Duration? = nil) throws(DataSourceError) -> Value {
    let limit = timeout.map { Monitor<Void>.moment(after: $0.wholeNanoseconds) }
    memory.withLock { $0.waiters += 1 }
    let outcome = resolved.wait(with: memory, until: limit) { $0.outcome }
    memory.withLock { $0.waiters -= 1 }
    guard let outcome else { throw DataSourceError(.timeout) }
    return try outcome.get()
  }

  /// Resolves it as `cancelled` and tells the producer; does nothing when it is resolved.
  ///
  /// What was already written stays written. Cancelling a derived future cancels its origin if
  /// no other consumer and no thread waits for that.
  @inlinable
  public func cancel() {
    finish(.failure(DataSourceError(.cancelled)))?.onCancel?()
  }

  // MARK: Below

  /// Resolves it; false when it was resolved before.
  @inlinable
  @discardableResult
  package func resolve(_ outcome: Outcome) -> Bool { finish(outcome) != nil }

  /// Adds a consumer; the number is for `leave`.
  @inlinable
  @discardableResult
  func attach(_ body: @escaping @Sendable (Outcome) -> Void) -> Int {
    let number = memory.withLock { $0.attach(body) }
    deliver()
    return number
  }

  /// Removes a consumer, and cancels a pending future without another consumer or waiting thread.
  @inlinable
  func leave(_ number: Int) {
    let (consumer, isAlone) = memory.withLock { $0.leave(number) }
    _ = consumer
    if isAlone { cancel() }
  }

  /// Gives it its result; nil when it has one.
  @inlinable
  func finish(_ outcome: Outcome) -> FutureMemory<Value>.Claim? {
    let (claim, mustDeliver) = memory.withLock { $0.finish(outcome) }
    guard let claim else { return nil }
    if let intercept = claim.intercept {
      let outcome = intercept(outcome)
      memory.withLock { $0.outcome = outcome }
      resolved.signalAll()
      deliver()
    } else {
      resolved.signalAll()
      if mustDeliver { passOn() }
    }
    return claim
  }

  @inlinable
  func deliver() {
    if memory.withLock({ $0.beginDelivery() }) { passOn() }
  }

  @inlinable
  func passOn() {
    if let queue, !queue.isCurrent { queue.submit { self.drain() } } else { drain() }
  }

  @inlinable
  func drain() {
    while let (consumers, outcome) = memory.withLock({ $0.takeConsumers() }) {
      for consumer in consumers { consumer.body(outcome) }
    }
  }
}

/// What a future remembers, behind its lock.
@usableFromInline
struct FutureMemory<Value: Sendable>: Sendable {
  @usableFromInline typealias Outcome = Future<Value>.Outcome

  @usableFromInline
  struct Consumer: Sendable {
    @usableFromInline let number: Int
    @usableFromInline let body: @Sendable (Outcome) -> Void

    @inlinable
    init(number: Int, body: @escaping @Sendable (Outcome) -> Void) {
      self.number = number
      self.body = body
    }
  }

  /// What the one who resolves has to call.
  @usableFromInline
  struct Claim: Sendable {
    @usableFromInline let onCancel: (@Sendable () -> Void)?
    @usableFromInline let intercept: (@Sendable (Outcome) -> Outcome)?

    @inlinable
    init(onCancel: (@Sendable () -> Void)?, intercept: (@Sendable (Outcome) -> Outcome)?) {
      self.onCancel = onCancel
      self.intercept = intercept
    }
  }

  @usableFromInline var outcome: Outcome?
  @usableFromInline var waiters = 0
  /// What to call on resolution; nil once a resolution has claimed it.
  @usableFromInline var unclaimed: Claim?
  @usableFromInline var consumers: [Consumer] = []
  @usableFromInline var isDelivering = false
  @usableFromInline var wasDelivered = false
  @usableFromInline var next = 0

  @inlinable
  init(
    onCancel: (@Sendable () -> Void)?, intercept: (@Sendable (Outcome) -> Outcome)?
  ) {
    unclaimed = Claim(onCancel: onCancel, intercept: intercept)
  }

  @inlinable
  var state: Future<Value>.State {
    if outcome != nil { return wasDelivered || !consumers.isEmpty ? .delivered : .ready }
    return consumers.isEmpty ? .blank : .awaited
  }

  /// Takes a result, unless there is one already or a function is to see it before; and whether the
  /// caller is to deliver.
  @inlinable
  mutating func finish(_ outcome: Outcome) -> (Claim?, Bool) {
    guard let claim = unclaimed.take() else { return (nil, false) }
    if claim.intercept != nil { return (claim, false) }
    self.outcome = outcome
    return (claim, beginDelivery())
  }

  @inlinable
  mutating func attach(_ body: @escaping @Sendable (Outcome) -> Void) -> Int {
    next += 1
    consumers.append(Consumer(number: next, body: body))
    return next
  }

  /// Removes a consumer; answers it, and whether no consumer and no waiting thread is left.
  @inlinable
  mutating func leave(_ number: Int) -> (Consumer?, isAlone: Bool) {
    guard outcome == nil, let place = consumers.firstIndex(where: { $0.number == number }) else {
      return (nil, false)
    }
    let consumer = consumers.remove(at: place)
    return (consumer, consumers.isEmpty && waiters == 0)
  }

  /// Whether the caller is to deliver: there are a result and consumers, and no delivery is under
  /// way.
  @inlinable
  mutating func beginDelivery() -> Bool {
    guard outcome != nil, !isDelivering, !consumers.isEmpty else { return false }
    isDelivering = true
    return true
  }

  @inlinable
  mutating func takeConsumers() -> ([Consumer], Outcome)? {
    guard let outcome, !consumers.isEmpty else {
      isDelivering = false
      return nil
    }
    wasDelivered = true
    defer { consumers = [] }
    return (consumers, outcome)
  }
}
