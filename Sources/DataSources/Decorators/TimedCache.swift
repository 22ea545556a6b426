public import Ground
import Streams

extension DataAccess {
  /// The same entries, kept for a while after they were answered (data sources L43, L44).
  @inlinable
  package func cached(expiry: Duration, capacity: Int?, clock: any Clock) -> DataAccess {
    let cache = TimedCache(inner: self, expiry: expiry, capacity: capacity, clock: clock)
    return DataAccess(atOnce: { cache.answer($0, $1) }) { cache.perform($0, $1) }
  }
}

/// Keeps results, and joins reads of one key that overlap.
///
/// A result is kept only if no write touched its key between the request and the result: what was
/// read before a write must not outlive it.
@usableFromInline
final class TimedCache<Value: Sendable>: Sendable {
  private let inner: DataAccess<Value>
  @usableFromInline let clock: any Clock
  @usableFromInline let state: Lock<CacheState<Value>>

  @usableFromInline
  init(inner: DataAccess<Value>, expiry: Duration, capacity: Int?, clock: any Clock) {
    self.inner = inner
    self.clock = clock
    state = Lock(CacheState(expiry: expiry, capacity: capacity.map { max(0, $0) }))
  }

  /// Replies with what is kept and young enough; false where there is none.
  @inlinable
  func answer(_ call: Call<Value>, _ reply: (CallResult<Value>) -> Void) -> Bool {
    guard call.verb == .get || call.verb == .getAll, let id = call.query.entry else {
      return false
    }
    let key = CacheKey(id: id, isList: call.verb == .getAll)
    let now = clock.now
    let hit = state.withLock { $0.hit(key, now) }
    guard let hit else { return false }
    reply(.success(hit))
    return true
  }

  @usableFromInline
  func perform(_ call: Call<Value>, _ reply: @escaping DataAccess<Value>.Reply) {
    switch call.verb {
    case .get, .getAll:
      if let id = call.query.entry {
        read(call, id, reply)
      } else {
        inner.perform(call, reply)
      }
    case .put, .putAll, .delete: write(call, reply)
    }
  }

  private func read(
    _ call: Call<Value>, _ id: EntryID, _ reply: @escaping DataAccess<Value>.Reply
  ) {
    let key = CacheKey(id: id, isList: call.verb == .getAll)
    let now = clock.now
    let waiter = CacheWaiter(reply)
    let step = state.withLock { state -> CacheStep<Value> in
      if let hit = state.hit(key, now) { return .result(hit) }
      if let number = state.join(key, waiter) { return .joined(number) }
      let cancellation = Cancellation()
      return .ask(state.begin(.read(key), waiter, cancellation), cancellation)
    }
    switch step {
    case .result(let payload): reply(.success(payload))
    case .joined(let number): note(waiter, of: number, call.cancellation)
    case .ask(let number, let cancellation):
      // Others may join: the inner call is cancelled when no caller waits any more.
      var request = Call<Value>(call.verb, call.query, note: call.note)
      request.canceller = cancellation
      inner.perform(request) { [self] result in
        let now = clock.now
        let (waiters, _) = state.withLock { $0.endRead(number, key, result, now) }
        for waiter in waiters { waiter.settle(result) }
      }
      note(waiter, of: number, call.cancellation)
    }
  }

  /// Lets a waiter go when its caller no longer waits.
  private func note(_ waiter: CacheWaiter<Value>, of number: Int, _ cancellation: Cancellation?) {
    guard let cancellation else { return }
    let callOff = cancellation.onCancel { [self] in
      guard let unwanted = state.withLock({ $0.leave(number, waiter) }) else { return }
      waiter.settle(.failure(DataSourceError(.cancelled)))
      unwanted?.cancel()
    }
    waiter.hold(Connection(onDisconnect: callOff))
  }

  private func write(_ call: Call<Value>, _ reply: @escaping DataAccess<Value>.Reply) {
    let scope: Scope =
      switch call.query {
      case .id, .key: call.query.entry.map { .keys([$0]) } ?? .everything
      case .ids(let ids): .keys(Set(ids))
      default: .everything
      }
    let (number, _) = state.withLock { state in
      let dropped = state.touch(scope)
      return (state.begin(.write(scope)), dropped)
    }
    inner.perform(call) { [self] result in
      let now = clock.now
      let keeps = call.query.entry.flatMap { id in
        call.verb == .delete ? nil : CacheKey(id: id, isList: call.verb == .putAll)
      }
      let dropped = state.withLock { $0.endWrite(number, scope, keeps, result, now) }
      _ = dropped
      reply(result)
    }
  }
}

/// What a read has to do.
private enum CacheStep<Value: Sendable>: Sendable {
  case result(CallPayload<Value>)
  case joined(Int)
  case ask(Int, Cancellation)
}

/// A caller of a read that is under way.
@usableFromInline
final class CacheWaiter<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case waiting(DataAccess<Value>.Reply, Connection?)
    case over
  }

  private let state: Lock<State>

  init(_ reply: @escaping DataAccess<Value>.Reply) { state = Lock(.waiting(reply, nil)) }

  func settle(_ result: CallResult<Value>) {
    let former = state.withLock { state in
      defer { state = .over }
      return state
    }
    guard case .waiting(let reply, let connection) = former else { return }
    connection?.disconnect()
    reply(result)
  }

  /// Holds what is disconnected with the result.
  func hold(_ connection: Connection) {
    let isOver = state.withLock { state in
      guard case .waiting(let reply, _) = state else { return true }
      state = .waiting(reply, connection)
      return false
    }
    if isOver { connection.disconnect() }
  }
}

/// The place of one result: object and list of a key are kept apart.
@usableFromInline
struct CacheKey: Hashable, Sendable {
  @usableFromInline let id: EntryID
  @usableFromInline let isList: Bool

  @inlinable
  init(id: EntryID, isList: Bool) {
    self.id = id
    self.isList = isList
  }
}

/// Which keys a write touches.
private enum Scope: Sendable {
  case keys(Set<EntryID>)
  case everything

  func touches(_ other: Scope) -> Bool {
    switch (self, other) {
    case (.keys(let keys), .keys(let others)): !keys.isDisjoint(with: others)
    default: true
    }
  }
}

/// A call to the inner source that has no result yet.
private enum PendingOperation: Sendable {
  case read(CacheKey)
  case write(Scope)

  var scope: Scope {
    switch self {
    case .read(let key): .keys([key.id])
    case .write(let scope): scope
    }
  }
}

@usableFromInline
struct CacheState<Value: Sendable>: Sendable {
  private struct Open: Sendable {
    let operation: PendingOperation
    var waiters: [CacheWaiter<Value>]
    /// Of a read, which no caller but all together can cancel.
    let cancellation: Cancellation?
    /// Whether nothing has touched its keys since it began.
    var isUndisturbed: Bool
  }

  @usableFromInline var kept: CachedResults<Value>
  private var open: [Int: Open] = [:]
  /// The reads that others may join.
  private var joinable: [CacheKey: Int] = [:]
  private var next = 0

  private let expiry: Duration

  init(expiry: Duration, capacity: Int?) {
    self.expiry = expiry
    kept = CachedResults(capacity: capacity)
  }

  @inlinable
  mutating func hit(_ key: CacheKey, _ now: Moment) -> CallPayload<Value>? {
    guard let kept = kept.result(key.id, isList: key.isList), now < kept.end else { return nil }
    return kept.payload
  }

  /// Joins a read that is under way; its number, or nil where there is none.
  mutating func join(_ key: CacheKey, _ waiter: CacheWaiter<Value>) -> Int? {
    guard let number = joinable[key] else { return nil }
    open[number]?.waiters.append(waiter)
    return number
  }

  /// Forgets a waiter; nil if it was answered, else what cancels the read if no other waits.
  mutating func leave(_ number: Int, _ waiter: CacheWaiter<Value>) -> Cancellation?? {
    guard var call = open[number], let place = call.waiters.firstIndex(where: { $0 === waiter })
    else { return nil }
    call.waiters.remove(at: place)
    open[number] = call
    guard call.waiters.isEmpty else { return .some(nil) }
    // A caller that comes now must not join what is about to be cancelled.
    if case .read(let key) = call.operation, joinable[key] == number { joinable[key] = nil }
    return call.cancellation
  }

  /// Notes a call that is about to be made. It counts as disturbed while a write touches its keys.
  fileprivate mutating func begin(
    _ operation: PendingOperation, _ waiter: CacheWaiter<Value>? = nil,
    _ cancellation: Cancellation? = nil
  ) -> Int {
    next += 1
    let scope = operation.scope
    let isUndisturbed = !open.values.contains { other in
      if case .write(let written) = other.operation { written.touches(scope) } else { false }
    }
    open[next] = Open(
      operation: operation, waiters: waiter.map { [$0] } ?? [], cancellation: cancellation,
      isUndisturbed: isUndisturbed)
    if case .read(let key) = operation { joinable[key] = next }
    return next
  }

  /// Forgets what is kept under keys; reads that are under way are joined no more and not kept.
  fileprivate mutating func touch(_ scope: Scope) -> [CallPayload<Value>] {
    for (number, call) in open where call.operation.scope.touches(scope) {
      open[number]?.isUndisturbed = false
      if case .read(let key) = call.operation, joinable[key] == number { joinable[key] = nil }
    }
    switch scope {
    case .keys(let keys): return keys.flatMap { kept.drop($0) }
    case .everything: return kept.dropAll()
    }
  }

  mutating func endRead(
    _ number: Int, _ key: CacheKey, _ result: CallResult<Value>, _ now: Moment
  ) -> ([CacheWaiter<Value>], [CallPayload<Value>]) {
    guard let call = open.removeValue(forKey: number) else { return ([], []) }
    if joinable[key] == number { joinable[key] = nil }
    switch result {
    case .success(let payload):
      guard call.isUndisturbed else { return (call.waiters, []) }
      return (call.waiters, kept.keep(payload, key.id, isList: key.isList, until: now + expiry))
    case .failure: return (call.waiters, kept.drop(key.id))
    }
  }

  fileprivate mutating func endWrite(
    _ number: Int, _ scope: Scope, _ key: CacheKey?, _ result: CallResult<Value>, _ now: Moment
  ) -> [CallPayload<Value>] {
    let isUndisturbed = open.removeValue(forKey: number)?.isUndisturbed ?? false
    let dropped = touch(scope)
    guard isUndisturbed, let key, case .success(let payload) = result else { return dropped }
    return dropped + kept.keep(payload, key.id, isList: key.isList, until: now + expiry)
  }
}
