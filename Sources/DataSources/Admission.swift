/// What a store can do beyond one object under a key.
@usableFromInline package struct StoreAbilities: OptionSet, Sendable {
  @usableFromInline package let rawValue: Int
  @usableFromInline package init(rawValue: Int) { self.rawValue = rawValue }

  /// A list under a key (L2).
  @usableFromInline package static let lists = StoreAbilities(rawValue: 1)
  /// `ids` (L13, L14).
  @usableFromInline package static let ids = StoreAbilities(rawValue: 2)
  /// `all` and `page` (L15, L16).
  @usableFromInline package static let all = StoreAbilities(rawValue: 4)
  /// `object`: it was told how to find the id of a value (L17).
  @usableFromInline package static let object = StoreAbilities(rawValue: 8)
  /// `where` and `orderedBy` (L18).
  @usableFromInline package static let refinement = StoreAbilities(rawValue: 16)
  /// `putAll` of rows that know their ids (L30).
  @usableFromInline package static let rows = StoreAbilities(rawValue: 32)
  /// `timeRange` (L36).
  @usableFromInline package static let times = StoreAbilities(rawValue: 64)
}

/// A query that a store has agreed to: its arguments are in order.
@usableFromInline package enum Request: Sendable {
  /// One entry.
  case entry(EntryID)
  /// Several; for `putAll` as many as values, none twice.
  case entries([EntryID])
  /// All, or those of a refinement.
  case all(Refinement)
  /// A slice of it; neither number is negative.
  case page(offset: Int, limit: Int, Refinement)
  /// The entry of a value; for `put` this is the value to be stored.
  case object(any Sendable)
  /// What was recorded in a range.
  case times(Range<Int64>)
}

/// Which rows, and in which order.
@usableFromInline package struct Refinement: Sendable {
  package var condition: Predicate?
  package var orders: [Order]

  package init(_ condition: Predicate?, _ orders: [Order]) {
    self.condition = condition
    self.orders = orders
  }

  /// Whether it asks for anything.
  package var isEmpty: Bool { condition == nil && orders.isEmpty }
}

extension Call {
  /// The request of this call to a store with such abilities.
  ///
  /// It refuses in the order of L7: first a query the verb does not take, then arguments.
  @inlinable
  package func request(to abilities: StoreAbilities) throws(DataSourceError) -> Request {
    switch payload {
    case .none: try query.request(verb, .nothing, to: abilities)
    case .object: try query.request(verb, .object, to: abilities)
    case .list(let values): try query.request(verb, .list(values.count), to: abilities)
    }
  }
}

/// The shape of what a call brings, whatever its type.
@usableFromInline
enum PayloadShape: Equatable {
  case nothing
  case object
  case list(Int)
}

extension Query {
  /// The id of the one entry that a key query names; nil for all others (L11).
  @usableFromInline package var entry: EntryID? {
    switch self {
    case .id(let id): id
    case .key(let text): EntryID(text)
    default: nil
    }
  }

  @usableFromInline
  func request(
    _ verb: Verb, _ shape: PayloadShape, to abilities: StoreAbilities
  ) throws(DataSourceError) -> Request {
    guard suits(verb, abilities) else { throw DataSourceError(.queryNotSupported) }
    return try request(verb, shape)
  }

  /// What each verb takes (L12).
  private func suits(_ verb: Verb, _ abilities: StoreAbilities) -> Bool {
    switch self {
    case .void: false
    case .id, .key: abilities.contains(.lists) || (verb != .getAll && verb != .putAll)
    case .ids: abilities.contains(.ids) && verb != .get && verb != .put
    case .all(let condition, let orders):
      switch verb {
      case .getAll, .delete:
        abilities.contains(.all) && Refinement(condition, orders).suits(abilities)
      case .putAll: abilities.contains(.rows) && Refinement(condition, orders).isEmpty
      default: false
      }
    case .page(_, _, let condition, let orders):
      verb == .getAll && abilities.contains(.all)
        && Refinement(condition, orders).suits(abilities)
    case .object: abilities.contains(.object) && verb != .getAll && verb != .putAll
    case .timeRange: abilities.contains(.times) && (verb == .getAll || verb == .delete)
    }
  }

  private func request(_ verb: Verb, _ shape: PayloadShape) throws(DataSourceError) -> Request {
    try check(verb, shape)
    switch self {
    case .id(let id): return .entry(try id.checked())
    case .key(let text): return .entry(try EntryID(text).checked())
    case .ids(let ids):
      for id in ids { _ = try id.checked() }
      if verb == .putAll, shape != .list(ids.count) || Set(ids).count != ids.count {
        throw DataSourceError(.illegalArgument, "each id needs exactly one value")
      }
      return .entries(ids)
    case .all(let condition, let orders): return .all(Refinement(condition, orders))
    case .page(let offset, let limit, let condition, let orders):
      guard offset >= 0, limit >= 0 else {
        throw DataSourceError(.illegalArgument, "a page has no negative offset or limit")
      }
      return .page(offset: offset, limit: limit, Refinement(condition, orders))
    case .object(let value): return .object(value)
    case .timeRange(let range): return .times(range)
    case .void: throw DataSourceError(.queryNotSupported)
    }
  }

  /// Whether the call brings what its verb stores (L4).
  private func check(_ verb: Verb, _ shape: PayloadShape) throws(DataSourceError) {
    switch (verb, self) {
    case (.put, .object):
      if shape == .nothing { return }
      throw DataSourceError(.illegalArgument, "an object query brings the value itself")
    case (.put, _):
      if shape == .object { return }
      throw DataSourceError(.illegalArgument, "put stores one value, and null is none")
    case (.putAll, _):
      if case .list = shape { return }
      throw DataSourceError(.illegalArgument, "putAll stores a list")
    default: return
    }
  }
}

extension Refinement {
  fileprivate func suits(_ abilities: StoreAbilities) -> Bool {
    isEmpty || abilities.contains(.refinement)
  }
}

extension EntryID {
  /// The id itself, unless its text is empty (L9).
  @usableFromInline package func checked() throws(DataSourceError) -> EntryID {
    if key.utf8.isEmpty { throw DataSourceError(.illegalArgument, "an id is never empty") }
    return self
  }
}
