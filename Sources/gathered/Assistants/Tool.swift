import GatheredKit
import Gathering
import Values

/// Something an assistant can ask for. All of them only read.
struct Tool: Sendable {
  let name: String
  let title: String
  let meaning: String
  let parameters: [ToolParameter]
  /// Answers a call, on a thread of its own. Throws a failure.
  let answer: @Sendable (ToolCall) throws -> ToolAnswer

  init(
    _ name: String, title: String, _ meaning: String, _ parameters: [ToolParameter] = [],
    answer: @escaping @Sendable (ToolCall) throws -> ToolAnswer
  ) {
    (self.name, self.title, self.meaning) = (name, title, meaning)
    (self.parameters, self.answer) = (parameters, answer)
  }

  /// All there are.
  static let all = [list, read, explain, doctor, kinds, watch, query, graphCheck]

  /// The tool of a name.
  static func named(_ name: String) throws(RefusedMessage) -> Tool {
    if let tool = all.first(where: { $0.name == name }) { return tool }
    let sentence = Nearest.sentence(to: name, among: all.map(\.name), what: "tool")
    throw RefusedMessage(.invalidParams, sentence)
  }

  /// What a client is told of it.
  func description(for version: ProtocolVersion) -> Value {
    var row: ValueDictionary = ["name": .string(name)]
    if version.hasStructures { row["title"] = .string(title) }
    row["description"] = .string(meaning)
    var schema: ValueDictionary = ["type": .string("object")]
    schema["properties"] = .dictionary(
      ValueDictionary(parameters.map { ($0.name, $0.schema) }))
    let required = parameters.filter(\.isRequired).map(\.name)
    if !required.isEmpty { schema["required"] = .list(required.map(Value.string)) }
    schema["additionalProperties"] = .bool(false)
    row["inputSchema"] = .dictionary(schema)
    if version.hasAnnotations {
      row["annotations"] = .dictionary([
        "title": .string(title), "readOnlyHint": .bool(true), "openWorldHint": .bool(false),
      ])
    }
    return .dictionary(row)
  }
}

/// What the person who starts a session gives it; no call can have more.
struct AssistantGrant: Sendable {
  let uri: String
  let allowance: Allowance
  let recordings: OfferedRecordings
}

/// A call of a tool.
struct ToolCall: Sendable {
  let tool: Tool
  let arguments: ToolArguments
  let grant: AssistantGrant
  /// A signal in it ends a watch.
  let signals: SignalInbox

  /// Calls a body with a context of its own, as each command line has one.
  func withContext<Outcome>(_ body: (Context) throws -> Outcome) throws -> Outcome {
    let context = try Context.open(grant.uri, allow: grant.allowance, mode: .host)
    // Outside of callbacks a close cannot fail.
    defer { try? context.close() }
    return try body(context)
  }

  /// The answer, or the failure in its place.
  func run() -> ToolAnswer {
    do {
      return try tool.answer(self)
    } catch let failure as CommandFailure {
      return ToolAnswer(failure)
    } catch let error as SourceError {
      return ToolAnswer(CommandFailure(error))
    } catch {
      return ToolAnswer(CommandFailure("\(error)"))
    }
  }
}
