public import Values

/// Queries as dictionaries and as JSON.
extension Query {
  /// The query that a dictionary describes: its `type`, and what a query of that type takes.
  ///
  /// `id` is one of any type, `ids` a list of them; `key` a text; `where` a condition such as
  /// `["and", ["=", "name", "x"], ["is_null", "end"]]`; `order_by` names of columns, with `-` for
  /// the greatest first; `from_ns` and `to_ns` moments in nanoseconds since 1970. Throws
  /// `illegalArgument` for what is no query. What is wrong with an id is for the store to say
  /// (data sources L7).
  public init(_ members: ValueDictionary) throws(DataSourceError) {
    do throws(OptionError) {
      if let entry = Self.entry(members) {
        self = entry
      } else {
        self = try Self.query(members)
      }
    } catch {
      throw DataSourceError(.illegalArgument, error.message)
    }
  }

  /// The query that an object of JSON describes; throws `illegalArgument` for other text, too.
  public init(json text: some StringProtocol) throws(DataSourceError) {
    let value: Value
    do throws(JSONReadError) {
      value = try Value(json: text)
    } catch {
      throw DataSourceError(.illegalArgument, "\(error)")
    }
    guard case .dictionary(let members) = value else {
      throw DataSourceError(.illegalArgument, "a query is an object of JSON")
    }
    try self.init(members)
  }

  /// The query that most are: an id, and nothing beside it.
  private static func entry(_ members: ValueDictionary) -> Query? {
    guard members.count == 2, members["type"] == .string("id"), let id = members["id"],
      id != Value.none
    else { return nil }
    return .id(EntryID(value: id))
  }

  private static func query(_ members: ValueDictionary) throws(OptionError) -> Query {
    var given = Options(members, of: "query")
    let type = try given.required(given.text("type"), "a type")
    let (id, key) = (given.value("id"), try given.text("key"))
    let ids = given.value("ids")
    let page = (try given.integer("offset"), try given.integer("limit"))
    let object = given.value("value")
    let range = (try given.integer("from_ns"), try given.integer("to_ns"))
    let condition = try given.value("where").map(predicate)
    let orders = try given.value("order_by").map(orders) ?? []
    try given.finish()
    switch type {
    case "void": return .void
    case "id": return .id(EntryID(value: try given.required(id, "an id")))
    case "ids":
      guard case .list(let ids) = ids else { throw given.wrong("ids", "a LIST") }
      return .ids(ids.map { EntryID(value: $0) })
    case "key": return .key(try given.required(key ?? id?.text, "a key"))
    case "all": return .all(where: condition, orderedBy: orders)
    case "page":
      return .page(
        offset: Int(page.0 ?? 0), limit: Int(page.1 ?? .max), where: condition, orderedBy: orders)
    case "object": return .object(try given.required(object, "a value"))
    case "time":
      let (start, end) = (range.0 ?? .min, range.1 ?? .max)
      guard start <= end else { throw given.wrong("to_ns", "from_ns or later") }
      return .timeRange(start..<end)
    default:
      throw OptionError("there is no query \(Array(type.utf8).quotedExcerpt)")
    }
  }

  private static func predicate(_ value: Value) throws(OptionError) -> Predicate {
    guard case .list(let parts) = value, let word = parts.first?.text else {
      throw OptionError("a condition is a list that begins with a word")
    }
    let rest = Array(parts.dropFirst())
    switch (word, rest.count) {
    case ("and", _): return .and(try rest.map(predicate))
    case ("or", _): return .or(try rest.map(predicate))
    case ("not", 1): return .not(try predicate(rest[0]))
    case ("is_null", 1), ("isNull", 1): return .isNull(try column(rest[0]))
    case ("in", 2):
      guard case .list(let items) = rest[1] else { throw OptionError("\"in\" takes a list") }
      return .isIn(try column(rest[0]), try items.map(operand))
    case (_, 2):
      guard let comparison = Comparison(rawValue: word == "==" ? "=" : word) else { break }
      return .compare(try column(rest[0]), comparison, try operand(rest[1]))
    default: break
    }
    throw OptionError("no condition \(Array(word.utf8).quotedExcerpt) of \(rest.count) parts")
  }

  private static func operand(_ value: Value) throws(OptionError) -> ColumnValue {
    guard let value = ColumnValue(value) else {
      throw OptionError("a column is not compared with \(value.typeWord)")
    }
    return value
  }

  private static func column(_ value: Value) throws(OptionError) -> String {
    guard let name = value.text else { throw OptionError("a column is named by a text") }
    return name
  }

  private static func orders(_ value: Value) throws(OptionError) -> [Order] {
    if case .list(let items) = value { return try items.map(order) }
    return [try order(value)]
  }

  private static func order(_ value: Value) throws(OptionError) -> Order {
    let name = try column(value)
    guard name.utf8.first == UInt8(ascii: "-") else { return Order(name) }
    return Order(String(name.dropFirst()), isDescending: true)
  }
}

extension Options {
  /// A whole number, or a moment.
  fileprivate mutating func integer(_ name: String) throws(OptionError) -> Int64? {
    switch value(name) {
    case nil: nil
    case .int(let number), .time(let number): number
    default: throw wrong(name, "an INT")
    }
  }
}
