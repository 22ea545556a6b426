import Gathering
import Values

/// The arguments of a call, of which each is one that the tool has.
struct ToolArguments: Sendable {
  private let members: ValueDictionary

  /// Refuses what the tool does not have, what is of another type and what is missing.
  init(_ value: Value?, of tool: Tool) throws(RefusedMessage) {
    switch value {
    case nil, .some(.none): members = [:]
    case .some(.dictionary(let given)): members = given
    default: throw RefusedMessage(.invalidParams, "arguments is a JSON object")
    }
    for (name, value) in members {
      guard let parameter = tool.parameters.first(where: { $0.name == name }) else {
        throw RefusedMessage(.invalidParams, Self.unknown(name, of: tool))
      }
      if let wanted = parameter.objection(to: value) {
        throw RefusedMessage(.invalidParams, "\(name) of \(tool.name) is \(wanted)")
      }
    }
    for parameter in tool.parameters where parameter.isRequired && members[parameter.name] == nil {
      throw RefusedMessage(
        .invalidParams, "\(tool.name) needs \(parameter.name): \(parameter.meaning)")
    }
  }

  private static func unknown(_ name: String, of tool: Tool) -> String {
    if tool.parameters.isEmpty { return "\(tool.name) has no arguments" }
    let names = tool.parameters.map(\.name)
    return "\(tool.name) has " + Nearest.sentence(to: name, among: names, what: "argument")
  }

  subscript(name: String) -> Value? { members[name] }

  func text(_ name: String) -> String? { members[name]?.text }

  /// The texts of a list; none where it is missing.
  func texts(_ name: String) -> [String] {
    if case .list(let items)? = members[name] { items.compactMap(\.text) } else { [] }
  }

  /// Nanoseconds of an argument in seconds.
  func span(_ name: String) -> Int64? {
    members[name]?.number.map { Int64(($0 * 1e9).rounded()) }
  }

  func count(_ name: String) -> Int? {
    if case .int(let number)? = members[name] { Int(number) } else { nil }
  }
}
