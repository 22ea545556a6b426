package import Ground
import Streams

/// A result that is there or will be: a value, or one error.
///
/// Any number of consumers, before or after, each called once in the order they were attached: on
/// the resolving thread, or on the queue given by `on(_:)`. Consumers never run under a lock nor
/// inside each other. Every call from any thread.
public final class Future<Value: Sendable>: Sendable {
  /// A value, or why there is none.
  public typealias Outcome = Result<Value, DataSourceError>

  private let memory: Monitor<FutureMemory<Value>>
  let queue: (any WorkQueue)?

  /// A pending future; cancelling it calls `onCancel`, once.
  package init(
    on queue: (any WorkQueue)? = nil, onCancel: (@Sendable () -> Void)? = nil,
    intercept: (@Sendable (Outcome) -> Outcome)? = nil
  ) {
    memory = Monitor(FutureMemory(onCancel: onCancel, intercept: intercept))
    self.queue = queue
  }

  /// A future that is resolved already.
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
  public var state: State { memory.withLock { $0.state } }

  /// The result; nil while it is pending.
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
  @discardableResult
  public func onCompletion(_ body: @escaping @Sendable (Outcome) -> Void) -> Self {
    attach(body)
    return self
  }

  /// Blocks until there is a result; `timeout` by the monotonic clock is the waiter's error only,
  /// nil waits for ever.
  public func wait(timeout: Duration? = nil) throws(DataSourceError) -> Value {
    let limit = timeout.map { Monitor<Void>.moment(after: $0.wholeNanoseconds) }
    memory.withLock { $0.waiters += 1 }
    let outcome = memory.wait(until: limit) { $0.outcome }
    memory.withLock { $0.waiters -= 1 }
    guard let outcome else { throw DataSourceError(.timeout) }
    return try outcome.get()
  }

  /// Resolves it as `cancelled` and tells the producer; does nothing when it is resolved.
  ///
  /// What was already written stays written. Cancelling a derived future cancels its origin if
  /// no other consumer and no thread waits for that.
  public func cancel() {
    guard let claim = memory.withLock({ $0.claim() }) else { return }
    finish(.failure(DataSourceError(.cancelled)), claim)
    claim.onCancel?()
  }

  // MARK: Below

  /// Resolves it; false when it was resolved before.
  @discardableResult
  package func resolve(_ outcome: Outcome) -> Bool {
    guard let claim = memory.withLock({ $0.claim() }) else { return false }
    finish(outcome, claim)
    return true
  }

  /// Adds a consumer; the number is for `leave`.
  @discardableResult
  func attach(_ body: @escaping @Sendable (Outcome) -> Void) -> Int {
    let number = memory.withLock { $0.attach(body) }
    deliver()
    return number
  }

  /// Removes a consumer, and cancels a pending future without another consumer or waiting thread.
  func leave(_ number: Int) {
    let (consumer, isAlone) = memory.withLock { $0.leave(number) }
    _ = consumer
    if isAlone { cancel() }
  }

  private func finish(_ outcome: Outcome, _ claim: FutureMemory<Value>.Claim) {
    let outcome = claim.intercept?(outcome) ?? outcome
    memory.withLock { $0.outcome = outcome }
    memory.signalAll()
    deliver()
  }

  private func deliver() {
    guard memory.withLock({ $0.beginDelivery() }) else { return }
    if let queue, !queue.isCurrent { queue.submit { self.drain() } } else { drain() }
  }

  private func drain() {
    while let (consumers, outcome) = memory.withLock({ $0.takeConsumers() }) {
      for consumer in consumers { consumer.body(outcome) }
    }
  }
}

/// What a future remembers, behind its lock.
struct FutureMemory<Value: Sendable>: Sendable {
  typealias Outcome = Future<Value>.Outcome

  struct Consumer: Sendable {
    let number: Int
    let body: @Sendable (Outcome) -> Void
  }

  /// What the one who resolves has to call.
  struct Claim: Sendable {
    let onCancel: (@Sendable () -> Void)?
    let intercept: (@Sendable (Outcome) -> Outcome)?
  }

  var outcome: Outcome?
  var waiters = 0
  /// What to call on resolution; nil once a resolution has claimed it.
  private var unclaimed: Claim?
  private var consumers: [Consumer] = []
  private var isDelivering = false
  private var wasDelivered = false
  private var next = 0

  init(
    onCancel: (@Sendable () -> Void)?, intercept: (@Sendable (Outcome) -> Outcome)?
  ) {
    unclaimed = Claim(onCancel: onCancel, intercept: intercept)
  }

  var state: Future<Value>.State {
    if outcome != nil { return wasDelivered || !consumers.isEmpty ? .delivered : .ready }
    return consumers.isEmpty ? .blank : .awaited
  }

  mutating func claim() -> Claim? { unclaimed.take() }

  mutating func attach(_ body: @escaping @Sendable (Outcome) -> Void) -> Int {
    next += 1
    consumers.append(Consumer(number: next, body: body))
    return next
  }

  /// Removes a consumer; answers it, and whether no consumer and no waiting thread is left.
  mutating func leave(_ number: Int) -> (Consumer?, isAlone: Bool) {
    guard outcome == nil, let place = consumers.firstIndex(where: { $0.number == number }) else {
      return (nil, false)
    }
    let consumer = consumers.remove(at: place)
    return (consumer, consumers.isEmpty && waiters == 0)
  }

  /// Whether the caller is to deliver: there are a result and consumers, and no delivery is under
  /// way.
  mutating func beginDelivery() -> Bool {
    guard outcome != nil, !isDelivering, !consumers.isEmpty else { return false }
    isDelivering = true
    return true
  }

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
