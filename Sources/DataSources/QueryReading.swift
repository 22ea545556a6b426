import DataSources
import Gathering
import Recording
import Values

/// What a call says beside the query: for custom data sources and repositories.
struct QueryNote: Sendable {
  /// The dictionary of the host, without its route.
  var members: ValueDictionary
  /// Which of its stores a repository asks.
  var route: Value?
}

/// A query dictionary of the host, read; calls that ask the same share it.
final class Question: Sendable {
  let query: Query
  /// A `QueryNote`, put once into the box in which calls pass it on.
  let note: any Sendable

  /// Throws INVALID_ARGUMENT for what is no query. What is wrong with an id is for the store to
  /// say, in its turn (data sources L7).
  init(_ content: Value) throws {
    guard case .dictionary(var members) = content else {
      throw Failure(Status.invalidArgument, "query is a list")
    }
    let route = members["route"]
    if route != nil { members["route"] = nil }
    note = QueryNote(members: members, route: route == Value.none ? nil : route)
    query = try Self.entry(members) ?? Self.query(members)
  }

  /// The query that most are: an id, and nothing beside it.
  private static func entry(_ members: ValueDictionary) -> Query? {
    guard members.count == 2, members["type"] == .string("id"), let id = members["id"],
      id != Value.none
    else { return nil }
    return .id(EntryID(value: id))
  }

  private static func query(_ members: ValueDictionary) throws -> Query {
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
      throw Failure(
        Status.invalidArgument, "there is no query \(Array(type.utf8).quotedExcerpt)")
    }
  }

  // MARK: Which rows

  private static func predicate(_ value: Value) throws -> Predicate {
    guard case .list(let parts) = value, let word = parts.first?.text else {
      throw malformed("a condition is a list that begins with a word")
    }
    let rest = Array(parts.dropFirst())
    switch (word, rest.count) {
    case ("and", _): return .and(try rest.map(predicate))
    case ("or", _): return .or(try rest.map(predicate))
    case ("not", 1): return .not(try predicate(rest[0]))
    case ("is_null", 1), ("isNull", 1): return .isNull(try column(rest[0]))
    case ("in", 2):
      guard case .list(let items) = rest[1] else { throw malformed("\"in\" takes a list") }
      return .isIn(try column(rest[0]), try items.map(operand))
    case (_, 2):
      guard let comparison = Comparison(rawValue: word == "==" ? "=" : word) else { break }
      return .compare(try column(rest[0]), comparison, try operand(rest[1]))
    default: break
    }
    throw malformed("no condition \(Array(word.utf8).quotedExcerpt) of \(rest.count) parts")
  }

  private static func operand(_ value: Value) throws -> ColumnValue {
    guard let value = ColumnValue(value) else {
      throw malformed("a column is not compared with \(value.typeWord)")
    }
    return value
  }

  private static func column(_ value: Value) throws -> String {
    guard let name = value.text else { throw malformed("a column is named by a text") }
    return name
  }

  private static func orders(_ value: Value) throws -> [Order] {
    if case .list(let items) = value { return try items.map(order) }
    return [try order(value)]
  }

  private static func order(_ value: Value) throws -> Order {
    let name = try column(value)
    guard name.utf8.first == UInt8(ascii: "-") else { return Order(name) }
    return Order(String(name.dropFirst()), isDescending: true)
  }

  private static func malformed(_ message: String) -> Failure {
    Failure(Status.invalidArgument, message)
  }
}

extension Options {
  /// A whole number, or a moment.
  fileprivate mutating func integer(_ name: String) throws -> Int64? {
    switch value(name) {
    case nil: nil
    case .int(let number), .time(let number): number
    default: throw wrong(name, "an INT")
    }
  }
}

extension EntryID {
  /// The id that a value is (data sources L9); the empty one, which no store takes, of what cannot
  /// be an id.
  init(value: Value) {
    switch value {
    case .string(let text): self.init(text)
    case .int(let number): self.init(number)
    case .none: self.init("")
    default: self = (try? EntryID(KeyTree(value))) ?? EntryID("")
    }
  }
}

extension KeyTree {
  fileprivate init(_ value: Value) throws {
    switch value {
    case .none: self = .word("null")
    case .bool(let flag): self = .word(flag ? "true" : "false")
    case .int(let number): self = .number(number)
    case .double(let number): self = try .number(number)
    case .string(let text): self = .text(text)
    case .bytes, .time: self = .word(try value.json())
    case .vector(let vector):
      let parts = [vector.x, vector.y, vector.z, vector.w].compactMap { $0 }
      self = .members([("vector", .list(try parts.map { try KeyTree.number($0) }))])
    case .list(let items): self = .list(try items.map { try KeyTree($0) })
    case .dictionary(let members):
      self = .members(try members.map { ($0.key, try KeyTree($0.value)) })
    }
  }
}
