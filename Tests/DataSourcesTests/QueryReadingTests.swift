import DataSources
import Testing
import Values

/// Queries as dictionaries and as JSON.
struct QueryReadingTests {
  private func text(_ query: Query) -> String { "\(query)" }

  private static let queries: [(String, Query)] = [
    (#"{"type": "void"}"#, Query.void),
    (#"{"type": "id", "id": "a"}"#, .id("a")),
    (#"{"type": "id", "id": 7}"#, .id(7)),
    (
      #"{"type": "id", "id": {"b": [1, true, null], "a": 0.5}}"#,
      .id(#"{"a":0.5,"b":[1,true,null]}"#)
    ),
    (#"{"type": "ids", "ids": ["a", 2]}"#, .ids(["a", 2])),
    (#"{"type": "key", "key": "k"}"#, .key("k")),
    (#"{"type": "key", "id": "k"}"#, .key("k")),
    (#"{"type": "all"}"#, .all()),
    (
      #"{"type": "all", "where": ["not", ["is_null", "end"]], "order_by": ["-time", "name"]}"#,
      .all(
        where: .not(.isNull("end")), orderedBy: [Order("time", isDescending: true), Order("name")])
    ),
    (
      #"{"type": "page", "offset": 5, "limit": 10, "where": ["<=", "n", 2], "order_by": "n"}"#,
      .page(
        offset: 5, limit: 10, where: .compare("n", .lessOrEqual, .int(2)), orderedBy: [Order("n")])
    ),
    (#"{"type": "page"}"#, .page(offset: 0, limit: .max)),
    (#"{"type": "time", "from_ns": 1, "to_ns": {"time_ns": 9}}"#, .timeRange(1..<9)),
    (#"{"type": "time"}"#, .timeRange(.min ..< .max)),
  ]

  @Test(arguments: queries)
  func `a query reads back as what it says`(json: String, query: Query) throws {
    #expect(text(try Query(json: json)) == text(query))
  }

  @Test func `conditions stand inside each other`() throws {
    let json = """
      {"type": "all", "where":
        ["and", ["or", ["==", "a", 1.5], ["in", "b", ["x", {"bytes": "AQ=="}]]],
          ["!=", "c", false]]}
      """
    let condition = Predicate.and([
      .or([
        .compare("a", .equal, .double(1.5)), .isIn("b", [.string("x"), .bytes([1])]),
      ]),
      .compare("c", .notEqual, .bool(false)),
    ])
    guard case .all(let read, let orders) = try Query(json: json) else {
      Issue.record("another query")
      return
    }
    #expect(read == condition && orders.isEmpty)
  }

  @Test(arguments: [
    ("{}", "query needs a type"),
    (#"{"type": "some"}"#, #"there is no query "some""#),
    (#"{"type": 3}"#, "type of query must be a STRING"),
    (#"{"type": "id"}"#, "query needs an id"),
    (#"{"type": "ids", "ids": "a"}"#, "ids of query must be a LIST"),
    (#"{"type": "object"}"#, "query needs a value"),
    (#"{"type": "page", "limit": 1.5}"#, "limit of query must be an INT"),
    (#"{"type": "time", "from_ns": 2, "to_ns": 1}"#, "to_ns of query must be from_ns or later"),
    (#"{"type": "all", "what": 1}"#, #"query has no option "what""#),
    (#"{"type": "all", "where": "a"}"#, "a condition is a list that begins with a word"),
    (#"{"type": "all", "where": ["near", "a", 1]}"#, #"no condition "near" of 2 parts"#),
    (#"{"type": "all", "where": ["in", "a", 1]}"#, #""in" takes a list"#),
    (#"{"type": "all", "where": ["=", 1, 1]}"#, "a column is named by a text"),
    (#"{"type": "all", "where": ["=", "a", [1]]}"#, "a column is not compared with list"),
    ("[]", "a query is an object of JSON"),
  ])
  func `what is no query is refused with its reason`(json: String, reason: String) {
    do throws(DataSourceError) {
      _ = try Query(json: json)
      Issue.record("it was read")
    } catch {
      #expect(error.code == .illegalArgument && error.message == reason)
    }
  }

  @Test func `text that is not JSON is refused with its place`() {
    do throws(DataSourceError) {
      _ = try Query(json: "{")
      Issue.record("it was read")
    } catch {
      #expect(error.code == .illegalArgument && error.message.hasPrefix("byte "))
    }
  }
}
