public import Ground
import Streams

/// Answers by key, at most so many keys: the least recently used makes room (data sources 7).
@usableFromInline
struct CachedResults<Value: Sendable>: Sendable {
  /// A result, and from when on it is too old.
  @usableFromInline
  struct Kept: Sendable {
    @usableFromInline let payload: CallPayload<Value>
    @usableFromInline let end: Moment
  }

  @usableFromInline let capacity: Int?
  @usableFromInline var objects: [EntryID: Kept] = [:]
  @usableFromInline var lists: [EntryID: Kept] = [:]
  /// The last use of each key, where there is a capacity.
  @usableFromInline var lastUses: [EntryID: Int] = [:]
  /// Uses in their order; those that are not the last of their key are passed over.
  private var uses: [(EntryID, Int)] = []
  private var use = 0

  init(capacity: Int?) { self.capacity = capacity }

  /// What is kept.
  @inlinable
  mutating func result(_ id: EntryID, isList: Bool) -> Kept? {
    if capacity != nil, lastUses[id] != nil { touch(id) }
    return isList ? lists[id] : objects[id]
  }

  /// Keeps a result; what had to go is handed over.
  mutating func keep(
    _ payload: CallPayload<Value>, _ id: EntryID, isList: Bool, until end: Moment
  ) -> [CallPayload<Value>] {
    if capacity == 0 { return [] }
    let new = Kept(payload: payload, end: end)
    let former = isList ? lists.updateValue(new, forKey: id) : objects.updateValue(new, forKey: id)
    touch(id)
    return (former.map { [$0.payload] } ?? []) + makeRoom()
  }

  /// Forgets a key; what was kept is handed over.
  mutating func drop(_ id: EntryID) -> [CallPayload<Value>] {
    lastUses[id] = nil
    return [objects.removeValue(forKey: id), lists.removeValue(forKey: id)]
      .compactMap { $0?.payload }
  }

  /// Forgets everything; what was kept is handed over.
  mutating func dropAll() -> [CallPayload<Value>] {
    defer { (objects, lists, lastUses, uses) = ([:], [:], [:], []) }
    // No key paths: in generic code they are built at run time.
    return objects.values.map { $0.payload } + lists.values.map { $0.payload }
  }

  @usableFromInline
  mutating func touch(_ id: EntryID) {
    guard capacity != nil else { return }
    use += 1
    lastUses[id] = use
    uses.append((id, use))
    guard uses.count > 2 * lastUses.count + 16 else { return }
    uses = uses.filter { lastUses[$0.0] == $0.1 }
  }

  private mutating func makeRoom() -> [CallPayload<Value>] {
    var dropped: [CallPayload<Value>] = []
    var passed = 0
    while let capacity, lastUses.count > capacity, passed < uses.count {
      let (id, use) = uses[passed]
      if lastUses[id] == use { dropped += drop(id) }
      passed += 1
    }
    uses.removeFirst(passed)
    return dropped
  }
}
