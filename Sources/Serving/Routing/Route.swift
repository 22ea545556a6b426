/// One path of the interface, and what answers it.
struct Route: Sendable {
  /// A parameter of the query.
  struct Parameter: Sendable {
    let name: String
    let meaning: String
    /// The type that a schema of JSON gives it: `string`, `number`, `integer`.
    var type = "string"
    var isRequired = false
    /// Whether it may come several times.
    var isRepeated = false
  }

  /// How its answer is made.
  enum Manner: Sendable {
    /// From what is known, or from files of this machine.
    case prompt
    /// It asks devices and daemons, which may let it wait.
    case patient
  }

  let method: HTTPRequest.Method
  /// The parts of the path; what stands in braces is any text, with that name.
  let path: [String]
  let summary: String
  let parameters: [Parameter]
  /// The schema of what it answers, by its name in the document of the interface.
  let schema: String
  /// Whether it is there only where the server controls.
  var isControl = false
  var manner = Manner.prompt
  let respond: @Sendable (RouteCall) throws -> HTTPAnswer

  init(
    _ method: HTTPRequest.Method, _ path: String, _ summary: String, _ parameters: [Parameter] = [],
    gives schema: String, isControl: Bool = false, manner: Manner = .prompt,
    _ respond: @escaping @Sendable (RouteCall) throws -> HTTPAnswer
  ) {
    self.method = method
    self.path = path.split(separator: "/").map(String.init)
    self.summary = summary
    self.parameters = parameters
    self.schema = schema
    self.isControl = isControl
    self.manner = manner
    self.respond = respond
  }

  /// The path as it is written in documents.
  var template: String { "/" + path.joined(separator: "/") }

  /// The names in braces.
  var names: [String] {
    path.filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
  }

  /// What stands for the names in braces; nil for another path.
  func match(_ parts: [String]) -> [String]? {
    guard parts.count == path.count else { return nil }
    var found: [String] = []
    for (part, expected) in zip(parts, path) {
      if expected.hasPrefix("{") {
        if part.isEmpty { return nil }
        found.append(part)
      } else if part != expected {
        return nil
      }
    }
    return found
  }
}
