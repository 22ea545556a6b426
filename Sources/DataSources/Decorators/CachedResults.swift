public import Ground
import Streams

/// Answers by key, at most so many keys: the least recently used makes room (data sources 7).
@usableFromInline
struct CachedResults<Value: Sendable>: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    /// Object and list; each with when it was answered.
    @usableFromInline
    var results: (object: (CallPayload<Value>, Moment)?, list: (CallPayload<Value>, Moment)?)
    @usableFromInline var lastUse: Int
  }

  @usableFromInline let capacity: Int?
  @usableFromInline var entries: [EntryID: Entry] = [:]
  /// Uses in their order; those that are not the last of their key are passed over.
  private var uses: [(EntryID, Int)] = []
  private var use = 0

  init(capacity: Int?) { self.capacity = capacity }

  /// What is kept, and when it was answered.
  @inlinable
  mutating func result(_ id: EntryID, isList: Bool) -> (CallPayload<Value>, Moment)? {
    guard let results = entries[id]?.results else { return nil }
    if capacity != nil { touch(id) }
    return isList ? results.list : results.object
  }

  /// Keeps a result; what had to go is handed over.
  mutating func keep(
    _ payload: CallPayload<Value>, _ id: EntryID, isList: Bool, _ now: Moment
  ) -> [CallPayload<Value>] {
    if capacity == 0 { return [] }
    var entry = entries[id] ?? Entry(results: (nil, nil), lastUse: 0)
    let former = isList ? entry.results.list : entry.results.object
    if isList { entry.results.list = (payload, now) } else { entry.results.object = (payload, now) }
    entries[id] = entry
    touch(id)
    return (former.map { [$0.0] } ?? []) + makeRoom()
  }

  /// Forgets a key; what was kept is handed over.
  mutating func drop(_ id: EntryID) -> [CallPayload<Value>] {
    guard let results = entries.removeValue(forKey: id)?.results else { return [] }
    return [results.object, results.list].compactMap { $0?.0 }
  }

  /// Forgets everything; what was kept is handed over.
  mutating func dropAll() -> [CallPayload<Value>] {
    defer { (entries, uses) = ([:], []) }
    return entries.values.flatMap { [$0.results.object, $0.results.list].compactMap { $0?.0 } }
  }

  @usableFromInline
  mutating func touch(_ id: EntryID) {
    guard capacity != nil else { return }
    use += 1
    entries[id]?.lastUse = use
    uses.append((id, use))
    guard uses.count > 2 * entries.count + 16 else { return }
    uses = uses.filter { entries[$0.0]?.lastUse == $0.1 }
  }

  private mutating func makeRoom() -> [CallPayload<Value>] {
    var dropped: [CallPayload<Value>] = []
    var passed = 0
    while let capacity, entries.count > capacity, passed < uses.count {
      let (id, use) = uses[passed]
      if entries[id]?.lastUse == use { dropped += drop(id) }
      passed += 1
    }
    uses.removeFirst(passed)
    return dropped
  }
}
