public import Streams

extension DataAccess {
  /// The same entries, kept for a while after they were answered (data sources L43, L44).
  @inlinable
  package func cached(expiry: Duration, capacity: Int?, clock: any Clock) -> DataAccess {
    let cache = TimedCache(inner: self, expiry: expiry, capacity: capacity, clock: clock)
    return DataAccess(atOnce: { cache.answer($0, $1) }) { cache.perform($0, $1) }
  }
}

/// Keeps answers, and joins reads of one key that overlap.
///
/// An answer is kept only if no write touched its key between the question and the answer: what was
/// read before a write must not outlive it.
@usableFromInline
final class TimedCache<Value: Sendable>: Sendable {
  private let inner: DataAccess<Value>
  @usableFromInline let expiry: Duration
  @usableFromInline let clock: any Clock
  @usableFromInline let state: Guarded<CacheState<Value>>

  @usableFromInline
  init(inner: DataAccess<Value>, expiry: Duration, capacity: Int?, clock: any Clock) {
    self.inner = inner
    self.expiry = expiry
    self.clock = clock
    state = Guarded(CacheState(capacity: capacity.map { max(0, $0) }))
  }

  /// Replies with what is kept and young enough; false where there is none.
  @inlinable
  func answer(_ call: Call<Value>, _ reply: (Answer<Value>) -> Void) -> Bool {
    guard call.verb == .get || call.verb == .getAll, let id = call.query.entry else {
      return false
    }
    let shelf = Shelf(id: id, isList: call.verb == .getAll)
    let now = clock.now
    let hit = state.withLock { [expiry] state in state.hit(shelf, now, expiry) }
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
    let shelf = Shelf(id: id, isList: call.verb == .getAll)
    let now = clock.now
    let step = state.withLock { [expiry] state -> CacheStep<Value> in
      if let hit = state.hit(shelf, now, expiry) { return .answer(hit) }
      if state.join(shelf, reply) { return .joined }
      return .ask(state.begin(.read(shelf), reply))
    }
    switch step {
    case .answer(let content): reply(.success(content))
    case .joined: break
    case .ask(let number):
      // Others may join, so the inner call is nobody's to cancel.
      inner.perform(Call(call.verb, call.query, note: call.note)) { [self] answer in
        let now = clock.now
        let (waiters, _) = state.withLock { $0.endRead(number, shelf, answer, now) }
        for waiter in waiters { waiter(answer) }
      }
    }
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
      return (state.begin(.write(scope), nil), dropped)
    }
    inner.perform(call) { [self] answer in
      let now = clock.now
      let keeps = call.query.entry.flatMap { id in
        call.verb == .delete ? nil : Shelf(id: id, isList: call.verb == .putAll)
      }
      let dropped = state.withLock { $0.endWrite(number, scope, keeps, answer, now) }
      _ = dropped
      reply(answer)
    }
  }
}

/// What a read has to do.
private enum CacheStep<Value: Sendable>: Sendable {
  case answer(Content<Value>)
  case joined
  case ask(Int)
}

/// The place of one answer: object and list of a key are kept apart.
@usableFromInline
struct Shelf: Hashable, Sendable {
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

/// A call to the inner source that has no answer yet.
private enum Errand: Sendable {
  case read(Shelf)
  case write(Scope)

  var scope: Scope {
    switch self {
    case .read(let shelf): .keys([shelf.id])
    case .write(let scope): scope
    }
  }
}

@usableFromInline
struct CacheState<Value: Sendable>: Sendable {
  typealias Reply = DataAccess<Value>.Reply

  private struct Open: Sendable {
    let errand: Errand
    var waiters: [Reply]
    /// Whether nothing has touched its keys since it began.
    var isUndisturbed: Bool
  }

  @usableFromInline var kept: KeptAnswers<Value>
  private var open: [Int: Open] = [:]
  /// The reads that others may join.
  private var joinable: [Shelf: Int] = [:]
  private var next = 0

  init(capacity: Int?) { kept = KeptAnswers(capacity: capacity) }

  @inlinable
  mutating func hit(_ shelf: Shelf, _ now: Moment, _ expiry: Duration) -> Content<Value>? {
    guard let (content, date) = kept.answer(shelf.id, isList: shelf.isList),
      now - date < expiry
    else { return nil }
    return content
  }

  mutating func join(_ shelf: Shelf, _ reply: @escaping Reply) -> Bool {
    guard let number = joinable[shelf] else { return false }
    open[number]?.waiters.append(reply)
    return true
  }

  /// Notes a call that is about to be made. It counts as disturbed while a write touches its keys.
  fileprivate mutating func begin(_ errand: Errand, _ reply: Reply?) -> Int {
    next += 1
    let scope = errand.scope
    let isUndisturbed = !open.values.contains { other in
      if case .write(let written) = other.errand { written.touches(scope) } else { false }
    }
    open[next] = Open(
      errand: errand, waiters: reply.map { [$0] } ?? [], isUndisturbed: isUndisturbed)
    if case .read(let shelf) = errand { joinable[shelf] = next }
    return next
  }

  /// Forgets what is kept under keys; reads that are under way are joined no more and not kept.
  fileprivate mutating func touch(_ scope: Scope) -> [Content<Value>] {
    for (number, call) in open where call.errand.scope.touches(scope) {
      open[number]?.isUndisturbed = false
      if case .read(let shelf) = call.errand, joinable[shelf] == number { joinable[shelf] = nil }
    }
    switch scope {
    case .keys(let keys): return keys.flatMap { kept.drop($0) }
    case .everything: return kept.dropAll()
    }
  }

  mutating func endRead(
    _ number: Int, _ shelf: Shelf, _ answer: Answer<Value>, _ now: Moment
  ) -> ([Reply], [Content<Value>]) {
    guard let call = open.removeValue(forKey: number) else { return ([], []) }
    if joinable[shelf] == number { joinable[shelf] = nil }
    switch answer {
    case .success(let content):
      guard call.isUndisturbed else { return (call.waiters, []) }
      return (call.waiters, kept.keep(content, shelf.id, isList: shelf.isList, now))
    case .failure: return (call.waiters, kept.drop(shelf.id))
    }
  }

  fileprivate mutating func endWrite(
    _ number: Int, _ scope: Scope, _ shelf: Shelf?, _ answer: Answer<Value>, _ now: Moment
  ) -> [Content<Value>] {
    let isUndisturbed = open.removeValue(forKey: number)?.isUndisturbed ?? false
    let dropped = touch(scope)
    guard isUndisturbed, let shelf, case .success(let content) = answer else { return dropped }
    return dropped + kept.keep(content, shelf.id, isList: shelf.isList, now)
  }
}
