import Gathering
import Recording
import Testing
import Values

@testable import Serving

/// Numbers of a recording over time, whatever times are asked for.
struct RecordingColumnsTests {
  private static func answer(_ query: String) throws -> Value {
    let tests = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let recording = try RecordingParts("\(tests)/Fuzz/Corpus/Recordings/phone")
    let target = try Target("/?select=memory/free&\(query)")
    let request = HTTPRequest("GET", "/", fields: [], from: .process(isAdmitted: true))
    let call = RouteCall(request: request, names: [], parameters: target.parameters)
    return try Value(json: try RecordingColumns(call, recording, .none).json())
  }

  /// How many rows all intervals of an answer have together.
  private static func rows(_ answer: Value) -> Int {
    guard case .dictionary(let members) = answer, case .list(let columns)? = members["columns"],
      case .dictionary(let column)? = columns.first, case .list(let counts)? = column["count"]
    else { return -1 }
    return counts.compactMap(\.number).reduce(0) { $0 + Int($1) }
  }

  @Test(arguments: [
    "limit=10", "from=0&to=100", "from=-9223372036854775808ns&to=9223372036854775807ns",
    "from=-9223372036854775808ns&to=9223372036854775807ns&limit=1",
    "from=-9223372036854775808ns&limit=10000", "to=9223372036854775807ns&every=1e-6",
    "from=-9000000000000000000ns&to=1e9",
  ])
  func `bounds as far away as can be told give every row`(_ query: String) throws {
    #expect(Self.rows(try Self.answer(query)) == 11)
  }

  @Test func `bounds in wrong order are told`() {
    #expect(throws: Refusal.self) {
      try Self.answer("from=9223372036854775807ns&to=-9223372036854775808ns")
    }
  }
}
