public import Ground

/// A store that knows bytes only; what its values are is for `DataAccess.init(_:abilities:…)`.
@usableFromInline
package protocol ByteStore: Sendable {
  /// Does the work on a thread of the store's own, and replies once.
  func submit(
    _ work: StoreWork, _ canceller: (any Canceller)?,
    reply: @escaping @Sendable (Result<[StoredContent?], DataSourceError>) -> Void
  )

  /// What stands under a key, nil where nothing does, read on the calling thread; nil instead of
  /// that when the work is to be submitted, because it would have to wait or not be answered in
  /// turn.
  func readAtOnce(_ id: EntryID) -> StoredContent??
}

extension ByteStore {
  /// Nothing is read but by what is submitted.
  @usableFromInline
  package func readAtOnce(_ id: EntryID) -> StoredContent?? { nil }
}

/// What a store of bytes is asked for.
@usableFromInline
package enum StoreWork: Sendable {
  /// What stands under each key, nil where nothing does.
  case read([EntryID])
  /// A range of all items as the one list, objects first (L15); nil when there is not even an empty
  /// store (L25).
  case readAll(Range<Int>)
  /// Puts an object under a key; no answer.
  case writeObject(EntryID, StoredItem)
  /// Puts contents under keys, all or none; no answer.
  case write([(EntryID, StoredContent)])
  /// Removes what stands under keys; no answer.
  case remove([EntryID])
  /// Empties the store; no answer.
  case removeAll
}

extension DataAccess where Value: StoredValue {
  /// The calls to a store of bytes that holds values.
  ///
  /// `type` is the one type all of them have; nil where each has its own. `id` finds the id of a
  /// value (L17).
  @inlinable
  package init(
    _ store: any ByteStore, _ abilities: StoreAbilities, type: StoredType?,
    id: (@Sendable (Value) -> EntryID?)? = nil
  ) {
    let form = StoredForm<Value>(type: type)
    let abilities = id == nil ? abilities : abilities.union(.object)
    let atOnce: Quick = { call, reply in
      guard call.verb == .get, let id = call.query.entry, !id.key.utf8.isEmpty,
        let found = store.readAtOnce(id)
      else { return false }
      reply(
        CallResult(catching: { () throws(DataSourceError) in
          try form.entry(.get, id, found)
        }))
      return true
    }
    self.init(atOnce: atOnce) { call, reply in
      if atOnce(call, reply) { return }
      if case .object(let value) = call.payload, call.verb == .put, let id = call.query.entry,
        !id.key.utf8.isEmpty
      {
        form.put(value, id, in: store, call.canceller, reply)
        return
      }
      do throws(DataSourceError) {
        let (request, payload) = try call.located(abilities, id)
        let work = try form.work(call.verb, request, payload)
        let verb = call.verb
        store.submit(work, call.canceller) { result in
          reply(
            CallResult(catching: { () throws(DataSourceError) in
              try form.answer(verb, request, payload, try result.get())
            }))
        }
      } catch {
        reply(.failure(error))
      }
    }
  }
}

extension Call {
  /// The request and what it brings, with an object query turned into one for its id.
  @inlinable
  func located(
    _ abilities: StoreAbilities, _ findID: (@Sendable (Value) -> EntryID?)?
  ) throws(DataSourceError) -> (Request, CallPayload<Value>) {
    let request = try request(to: abilities)
    guard case .object(let object) = request else { return (request, payload) }
    guard let value = object as? Value, let id = findID?(value) else {
      throw DataSourceError(.illegalArgument, "the object has no id")
    }
    return (.entry(try id.checked()), .object(value))
  }
}

/// How the values of a store turn into bytes and back.
@usableFromInline
struct StoredForm<Value: StoredValue>: Sendable {
  @usableFromInline let type: StoredType?

  @inlinable
  init(type: StoredType?) { self.type = type }

  /// A list that counts only if its elements have the right type is known when it has been read.
  @inlinable var isNested: Bool {
    Value.fixedType != nil && (type == .list || type == .dict)
  }

  /// Puts an object under an id that a query names.
  @inlinable
  func put(
    _ value: Value, _ id: EntryID, in store: any ByteStore, _ canceller: (any Canceller)?,
    _ reply: @escaping DataAccess<Value>.Reply
  ) {
    do throws(DataSourceError) {
      store.submit(.writeObject(id, try item(value)), canceller) { result in
        reply(result.map { _ in .object(value) })
      }
    } catch {
      reply(.failure(error))
    }
  }

  @inlinable
  func work(
    _ verb: Verb, _ request: Request, _ payload: CallPayload<Value>
  ) throws(DataSourceError) -> StoreWork {
    switch (verb, request) {
    case (.get, .entry(let id)), (.getAll, .entry(let id)): return .read([id])
    case (.put, .entry(let id)), (.putAll, .entry(let id)):
      if case .object(let value) = payload { return .writeObject(id, try item(value)) }
      return .write([(id, try stored(payload))])
    case (.getAll, .entries(let ids)): return .read(ids)
    case (.putAll, .entries(let ids)):
      guard case .list(let values) = payload else { break }
      var entries: [(EntryID, StoredContent)] = []
      for (id, value) in zip(ids, values) { entries.append((id, StoredContent(try item(value)))) }
      return .write(entries)
    case (.getAll, .all): return .readAll(0..<Int.max)
    case (.getAll, .page(let offset, let limit, _)):
      if isNested { return .readAll(0..<Int.max) }
      let (end, overflow) = offset.addingReportingOverflow(limit)
      return .readAll(offset..<(overflow ? .max : end))
    case (.delete, .entry(let id)): return .remove([id])
    case (.delete, .entries(let ids)): return .remove(ids)
    case (.delete, .all): return .removeAll
    default: break
    }
    throw DataSourceError(.queryNotSupported)
  }

  @inlinable
  func answer(
    _ verb: Verb, _ request: Request, _ given: CallPayload<Value>, _ found: [StoredContent?]
  ) throws(DataSourceError) -> CallPayload<Value> {
    switch (verb, request) {
    case (.put, _), (.putAll, _): return given
    case (.delete, _): return .none
    case (_, .entries(let ids)): return try objects(ids, found)
    case (_, .all), (_, .page):
      guard let all = found.first ?? nil else { throw DataSourceError(.notFound) }
      var values: [Value] = []
      for item in all.items {
        if let value = try value(item) { values.append(value) }
      }
      guard isNested, case .page(let offset, let limit, _) = request else { return .list(values) }
      return .list(Array(values.dropFirst(offset).prefix(limit)))
    case (_, .entry(let id)): return try entry(verb, id, found.first ?? nil)
    default: throw DataSourceError(.queryNotSupported)
    }
  }

  /// What stands under an id, if it has the shape and the type (L3, L24).
  @inlinable
  func entry(
    _ verb: Verb, _ id: EntryID, _ found: StoredContent?
  ) throws(DataSourceError) -> CallPayload<Value> {
    if let found, found.isList == (verb == .getAll), let payload = try content(found) {
      return payload
    }
    throw DataSourceError(.notFound, missing: [id])
  }

  /// The objects of ids, in their order (L13).
  @inlinable
  func objects(
    _ ids: [EntryID], _ found: [StoredContent?]
  ) throws(DataSourceError) -> CallPayload<Value> {
    var values: [Value] = []
    var missing: [EntryID] = []
    for (id, content) in zip(ids, found) {
      if let content, !content.isList, let item = content.items.first, let value = try value(item) {
        values.append(value)
      } else if !missing.contains(id) {
        missing.append(id)
      }
    }
    guard missing.isEmpty else { throw DataSourceError(.notFound, missing: missing) }
    return .list(values)
  }

  // MARK: Bytes

  @inlinable
  func item(_ value: Value) throws(DataSourceError) -> StoredItem {
    if let type, value.storedType != type {
      throw DataSourceError(.serialization, "the store holds \(type.name) only")
    }
    let bytes = try value.storedBytes()
    // Put together with others, bound and copied by what stores them.
    if !Room.has(4 * bytes.count) { throw .noMemory }
    return StoredItem(type: value.storedType, bytes: bytes)
  }

  @inlinable
  func stored(_ payload: CallPayload<Value>) throws(DataSourceError) -> StoredContent {
    switch payload {
    case .list(let values):
      var items: [StoredItem] = []
      for value in values { items.append(try item(value)) }
      let common = items.first.flatMap { first in
        items.allSatisfy { $0.type == first.type } ? first.type : nil
      }
      return StoredContent(type: type ?? common ?? .any, isList: true, items: items)
    case .none, .object: throw DataSourceError(.illegalArgument)
    }
  }

  /// The value of an item; nil when it is of another type (L24).
  @inlinable
  func value(_ item: StoredItem) throws(DataSourceError) -> Value? {
    if let type, item.type != type { return nil }
    return try Value(storedBytes: item.bytes, of: item.type)
  }

  @inlinable
  func content(_ stored: StoredContent) throws(DataSourceError) -> CallPayload<Value>? {
    if let type, stored.type != type { return nil }
    var values: [Value] = []
    for item in stored.items {
      guard let value = try value(item) else { return nil }
      values.append(value)
    }
    if stored.isList { return .list(values) }
    return values.first.map { .object($0) }
  }
}
