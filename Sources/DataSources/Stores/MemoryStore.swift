public import Ground
import Streams

/// Entries in memory: the reference of all stores (data sources L20).
@usableFromInline package final class MemoryStore<Value: Sendable>: Sendable {
  @usableFromInline let abilities: StoreAbilities
  @usableFromInline let findID: (@Sendable (Value) -> EntryID?)?
  @usableFromInline let memory = Lock(MemoryEntries<Value>())

  /// An empty store; `id` finds the id of a value, if it has one (L17).
  @inlinable
  package init(id: (@Sendable (Value) -> EntryID?)? = nil) {
    abilities = id == nil ? [.lists, .ids, .all] : [.lists, .ids, .all, .object]
    findID = id
  }

  /// The calls of this store. They are answered on the thread that makes them, before they return.
  @inlinable
  package var access: DataAccess<Value> {
    DataAccess(answering: { [self] call in
      // What is asked for most is known without looking at what else a call may be.
      if call.verb == .get, let id = call.query.entry, let object = object(id) { return object }
      return CallResult(catching: { () throws(DataSourceError) in try answer(call) })
    })
  }

  @inlinable
  func object(_ id: EntryID) -> CallResult<Value>? {
    memory.withLock { memory in
      guard let payload = memory.entries[id], case .object = payload else { return nil }
      return .success(payload)
    }
  }

  @inlinable
  func answer(_ call: Call<Value>) throws(DataSourceError) -> CallPayload<Value> {
    var request = try call.request(to: abilities)
    var payload = call.payload
    if case .object(let object) = request {
      guard let value = object as? Value, let id = findID?(value) else {
        throw DataSourceError(.illegalArgument, "the object has no id")
      }
      request = .entry(try id.checked())
      payload = .object(value)
    }
    // What was replaced is let go after the lock: it may have a deinitialiser.
    let (answer, _) = memory.withLock { [payload, request] memory in
      memory.perform(call.verb, request, payload)
    }
    return try answer.get()
  }
}

/// What a memory store holds.
@usableFromInline
struct MemoryEntries<Value: Sendable>: Sendable {
  @usableFromInline var entries: [EntryID: CallPayload<Value>] = [:]
  /// The keys in the order of bytes; nil until a call needs them.
  @usableFromInline var order: [EntryID]?

  @inlinable
  init() {}

  /// Does what is asked, and hands over what is no longer needed.
  @inlinable
  mutating func perform(
    _ verb: Verb, _ request: Request, _ payload: CallPayload<Value>
  ) -> (CallResult<Value>, [CallPayload<Value>?]) {
    switch (verb, request) {
    case (.get, .entry(let id)):
      if let found = entries[id], case .object = found { return (.success(found), []) }
    case (.getAll, .entry(let id)):
      if let found = entries[id], case .list = found { return (.success(found), []) }
    case (.put, .entry(let id)), (.putAll, .entry(let id)):
      return (.success(payload), [store(payload, under: id)])
    case (.putAll, .entries(let ids)):
      guard case .list(let values) = payload else { break }
      let former = zip(ids, values).map { store(.object($1), under: $0) }
      return (.success(payload), former)
    case (.getAll, .entries(let ids)): return (objects(ids), [])
    case (.getAll, .all): return (.success(.list(slice(0, .max))), [])
    case (.getAll, .page(let offset, let limit, _)):
      return (.success(.list(slice(offset, limit))), [])
    case (.delete, .entry(let id)): return (.success(.none), [remove(id)])
    case (.delete, .entries(let ids)): return (.success(.none), ids.map { remove($0) })
    case (.delete, .all):
      defer { (entries, order) = ([:], nil) }
      return (.success(.none), Array(entries.values))
    default: break
    }
    guard case .entry(let id) = request else { return (.failure(.init(.queryNotSupported)), []) }
    return (.failure(DataSourceError(.notFound, missing: [id])), [])
  }

  @inlinable
  mutating func store(
    _ payload: CallPayload<Value>, under id: EntryID
  ) -> CallPayload<Value>? {
    let former = entries.updateValue(payload, forKey: id)
    if former == nil { order = nil }
    return former
  }

  @inlinable
  mutating func remove(_ id: EntryID) -> CallPayload<Value>? {
    let former = entries.removeValue(forKey: id)
    if former != nil { order = nil }
    return former
  }

  /// The objects of ids, in their order (L13).
  @usableFromInline
  func objects(_ ids: [EntryID]) -> CallResult<Value> {
    var values: [Value] = []
    var missing: [EntryID] = []
    var seen: Set<EntryID> = []
    for id in ids {
      if case .object(let value)? = entries[id] {
        values.append(value)
      } else if seen.insert(id).inserted {
        missing.append(id)
      }
    }
    return missing.isEmpty
      ? .success(.list(values)) : .failure(DataSourceError(.notFound, missing: missing))
  }

  /// Objects first, then the elements of lists, each in the order of keys (L15, L16).
  @usableFromInline
  mutating func slice(_ offset: Int, _ limit: Int) -> [Value] {
    let keys = order ?? entries.keys.sorted()
    order = keys
    var slice: [Value] = []
    var skipped = offset
    for wantsObjects in [true, false] {
      for key in keys where slice.count < limit {
        switch entries[key] {
        case .object(let value)? where wantsObjects:
          if skipped > 0 { skipped -= 1 } else { slice.append(value) }
        case .list(let values)? where !wantsObjects:
          slice += values.dropFirst(skipped).prefix(limit - slice.count)
          skipped = max(0, skipped - values.count)
        default: break
        }
      }
    }
    return slice
  }
}
