import CGatheredKit
import DataSources
import Gathering
import Ground
import Streams
import Synchronization
import Values

/// A future as C holds it. The call that works for it keeps it; consumers do not.
final class FutureObject: HandleObject, PendingFuture, @unchecked Sendable {
  // Safe: everything in it is Sendable by itself, behind a lock, or written before another thread
  // sees the object.

  /// Who resolves it.
  enum Origin: Sendable {
    /// The host, who made it.
    case host
    /// The host, in answer to a verb it was asked for.
    case reply(Verb)
    /// A data source, which may call functions of the host on the loop.
    case call(needsLoop: Bool)
  }

  /// What `gkit_future_wait` lends, as long as the future lives.
  private struct Loan: @unchecked Sendable {
    // Safe: written once, under the lock.
    let arena = Arena()
    var value = gkit_value()
  }

  /// What most futures never need.
  private final class Extras: @unchecked Sendable {
    // Safe: touched under the lock it lies behind.
    var loan: Loan?
    var link: Connection?
    /// Of a call that was answered at once, for its consumers.
    var future: Future<CallPayload<Value>>?

    static func of(_ extras: inout Extras?) -> Extras {
      if let extras { return extras }
      let new = Extras()
      extras = new
      return new
    }
  }

  let owner: ContextObject
  /// The younger of two has the greater one.
  private(set) var number: UInt64 = 0
  /// Where the loop remembers it, while it is pending and no call keeps it.
  private var place: Int?
  private let origin: Origin
  /// What a call was answered at once, before another thread sees this: then nothing was ever
  /// pending.
  var answer: CallResult<Value>?
  private var pending: Future<CallPayload<Value>>?
  /// The answer of a call instead.
  private var pendingAnswer: PendingAnswer?
  private let flags = Atomic<UInt8>(0)
  private let extras = Lock<Extras?>(nil)

  private static let numbers = Atomic<UInt64>(0)
  /// A consumer was attached; it is being resolved; its resolution wakes the loop.
  private static let awaited: UInt8 = 1
  private static let settling: UInt8 = 2
  private static let waking: UInt8 = 4

  /// `begin` or `answer` follows before another thread sees it.
  init(of owner: ContextObject, _ origin: Origin) {
    self.owner = owner
    self.origin = origin
    super.init(.future)
  }

  /// Begins to wait for the host's result.
  func begin(intercept: (@Sendable (CallResult<Value>) -> CallResult<Value>)? = nil) {
    number = Self.nextNumber()
    pending = Future(on: owner.loop, intercept: intercept)
    place = owner.loop.add(self)
  }

  /// Begins to wait for the answer of a call.
  func begin(_ call: RunningCall) {
    pendingAnswer = PendingAnswer(of: call, on: owner.loop)
    owner.loop.add(call)
  }

  /// The number of the next future.
  static func nextNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }

  deinit { if let place { owner.loop.forget(place) } }

  private var future: Future<CallPayload<Value>> {
    if let pending { return pending }
    if let pendingAnswer { return pendingAnswer.future }
    if let known = extras.withLock({ $0?.future }) { return known }
    let new = Future<CallPayload<Value>>(on: owner.loop)
    if let answer { new.resolve(answer) }
    return extras.withLock { extras in
      let extras = Extras.of(&extras)
      if extras.future == nil { extras.future = new }
      return extras.future ?? new
    }
  }

  override var keeper: (any HandleKeeper)? { owner }

  override var summary: String {
    switch outcome {
    case nil: "future pending"
    case .success?: "future resolved"
    case .failure(let error)?: "future failed: \(error.code.word)"
    }
  }

  /// The host cannot answer any more: its reply is cancelled (data sources L60 and 4).
  override func hostLetGo() {
    if case .reply = origin { resolve(.failure(DataSourceError(.cancelled))) }
  }

  // MARK: Resolving

  /// Gives the result; false when there was one before.
  @discardableResult
  func resolve(_ outcome: CallResult<Value>) -> Bool {
    if isResolved { return false }
    settle()
    return future.resolve(outcome)
  }

  /// What is to be resolved now by the call, and needs this no longer.
  func beginResolution() -> PendingAnswer? {
    settle()
    return pendingAnswer
  }

  /// Resolves it for the host, with a status, a value or a message.
  func resolve(_ status: gkit_status, _ value: Value, _ message: String?) throws {
    if case .call = origin {
      throw Failure(Status.notSupported, "a data source resolves this future")
    }
    guard status <= 0 else { throw Failure(Status.invalidArgument, "status is positive") }
    let outcome: CallResult<Value> =
      if status < 0 {
        .failure(DataSourceError(status: status, message))
      } else {
        CallResult(catching: { () throws(DataSourceError) in try payload(value) })
      }
    if !resolve(outcome) { throw Failure(Status.exists, "the future has a result already") }
  }

  private func payload(_ value: Value) throws(DataSourceError) -> CallPayload<Value> {
    if case .reply(let verb) = origin { return try CallPayload(answering: verb, value) }
    return CallPayload(value)
  }

  func cancelFuture() { cancel() }

  /// Resolves it as `cancelled` and tells who works for it.
  func cancel() {
    if isResolved { return }
    settle()
    if let pendingAnswer { pendingAnswer.cancel() } else { future.cancel() }
  }

  /// Holds what is to be disconnected when this goes.
  func hold(_ connection: Connection) { extras.withLock { Extras.of(&$0).link = connection } }

  // MARK: Consumers

  /// Calls a function of the host with a handle of this, once there is a result.
  func then(_ body: @escaping @Sendable (OpaquePointer) -> Void) {
    let former = flags.bitwiseOr(Self.awaited, ordering: .acquiringAndReleasing).oldValue
    future.onCompletion { [weak self] _ in self?.lend(body) }
    if former & Self.settling != 0 || answer != nil { keep() }
  }

  private func settle() {
    let former = flags.bitwiseOr(Self.settling, ordering: .acquiringAndReleasing).oldValue
    if former & Self.awaited != 0 { keep() }
  }

  /// Lives until all consumers so far have been called: the host may let go before.
  private func keep() {
    future.onCompletion { [self] _ in withExtendedLifetime(self) {} }
  }

  private func lend(_ body: (OpaquePointer) -> Void) {
    owner.loop.call {
      guard let handle = reference() else { return }
      body(handle)
      _ = Handles.release(HandleBits(handle))
    }
  }

  /// One more reference of the handle the host holds; a new handle if it holds none.
  private func reference() -> OpaquePointer? {
    if let handle, Handles.current.retain(HandleBits(handle)) { return handle }
    return Handles.insert(self)
  }

  // MARK: Reading

  private var isResolved: Bool {
    if let pendingAnswer { return pendingAnswer.isResolved }
    return switch pending?.state {
    case nil: answer != nil
    case .blank, .awaited: false
    case .ready, .delivered: true
    }
  }

  /// The result; nil while it is pending.
  var outcome: CallResult<Value>? { answer ?? pendingAnswer?.answer ?? pending?.outcome }

  /// Waits for the result (data sources L58); throws its error.
  func wait(_ timeout: Int64) throws -> CallPayload<Value> {
    if let outcome { return try outcome.get() }
    if case .call(true) = origin, CallbackDepth.isInside {
      throw Failure(
        Status.wrongThread, "the result needs a callback to run, and this call is inside one")
    }
    let end = timeout < 0 ? nil : Monitor<Void>.moment(after: timeout)
    if owner.loop.dispatchesHere {
      // The delivery of a consumer is what ends a dispatch.
      let former = flags.bitwiseOr(Self.waking, ordering: .acquiringAndReleasing).oldValue
      if former & Self.waking == 0 { future.onCompletion { _ in } }
      while !isResolved {
        let left = Self.time(until: end)
        guard (try? owner.context.dispatch(timeout: left)) != nil else { break }
        if left == 0 { break }
      }
    }
    if let pendingAnswer { return try pendingAnswer.wait(until: end) }
    let left = Self.time(until: end)
    return try future.wait(timeout: left < 0 ? nil : .nanoseconds(left))
  }

  private static func time(until end: Int64?) -> Int64 {
    guard let end else { return -1 }
    return max(0, end - Monitor<Void>.moment(after: 0))
  }

  /// The result of a call that was answered at once, if nothing of it has to be lent.
  var plainAnswer: gkit_value? {
    guard case .success(.object(let value))? = answer else { return nil }
    switch value {
    case .string, .bytes, .dictionary, .list: return nil
    default: return gkit_value(plain: value)
    }
  }

  /// The value as C sees it, which this lends for its life.
  func lent(_ payload: CallPayload<Value>) throws -> gkit_value {
    let value = payload.value
    switch value {
    case .string, .bytes, .dictionary, .list: break
    default: return gkit_value(plain: value)
    }
    if let loan = extras.withLock({ $0?.loan }) { return loan.value }
    // Made outside the lock: values that are objects get handles.
    var new = Loan()
    new.value = new.arena.value(value)
    try new.arena.checkWhole()
    let loan = extras.withLock { [new] extras in
      let extras = Extras.of(&extras)
      if extras.loan == nil { extras.loan = new }
      return extras.loan ?? new
    }
    // Another thread may have been faster; this loan is then released here, outside the lock.
    withExtendedLifetime(new) {}
    return loan.value
  }
}

/// A future, also one whose context was closed: its result stays readable.
func openFuture(_ handle: OpaquePointer?) throws -> FutureObject {
  try object(handle, as: FutureObject.self, "future")
}
