import Gathering
import Values

/// Reads the members of a document's objects, and keeps what is wrong with them.
struct MemberReader {
  private(set) var problems: [GraphProblem] = []
  /// How often the nearest name was looked for, each time among all there are.
  private var searchCount = 0
  /// The first place that is malformed.
  private(set) var fault: GraphDocument.Fault?

  /// The members of an object; unknown ones are reported as problems.
  mutating func object(_ value: Value, at pointer: String, known: [String]) -> ValueDictionary? {
    guard case .dictionary(let members) = value else {
      add(.malformed, pointer, "an object was expected")
      return nil
    }
    for key in members.keys where !known.contains(where: { $0.isSpelt(key) }) {
      add(
        .malformed, "\(pointer)/\(key.escapedForPointer)",
        "there is no member \(key.quoted) here", nearest: nearest(to: key, among: known))
    }
    return members
  }

  /// The items of a member, which may be missing.
  mutating func list(_ members: ValueDictionary, _ key: String, at pointer: String) -> [Value] {
    switch members[key] {
    case .list(let items): return items
    case nil: return []
    default:
      add(.malformed, "\(pointer)/\(key)", "a list was expected")
      return []
    }
  }

  mutating func text(_ members: ValueDictionary, _ key: String, at pointer: String) -> String? {
    switch members[key] {
    case .string(let text): return text
    case nil: add(.malformed, pointer, "the member \"\(key)\" is missing")
    default: add(.malformed, "\(pointer)/\(key)", "text was expected")
    }
    return nil
  }

  /// The options of a child; one alone may look like a payload that JSON has no type for.
  mutating func options(_ members: ValueDictionary, at pointer: String) -> ValueDictionary {
    guard let options = members["options"] else { return [:] }
    if let options = options.asOptions { return options }
    add(.malformed, "\(pointer)/options", "an object was expected")
    return [:]
  }

  // MARK: Problems

  /// The known name nearest to a wrong one. It is searched for the first hundred wrong names only,
  /// so that checking takes time proportional to the document.
  mutating func nearest(to name: String, among names: some Sequence<String>) -> String? {
    searchCount += 1
    return searchCount > 100 ? nil : Nearest.name(to: name, among: names)
  }

  mutating func add(
    _ code: GraphProblem.Code, _ pointer: String, _ message: String, nearest: String? = nil
  ) {
    problems.append(GraphProblem(code, at: pointer, message, nearest: nearest))
  }

  /// The text is no JSON.
  mutating func refuse(_ error: JSONReadError, in bytes: [UInt8]) {
    let position = TextLines(bytes).position(at: error.detail.byteOffset)
    add(
      .malformed, "", "line \(position.line), column \(position.column): \(error.detail.reason)")
    var isLimit = false
    if case .limit = error { isLimit = true }
    fault = GraphDocument.Fault(
      offset: error.detail.byteOffset, reason: error.detail.reason, isLimit: isLimit)
  }

  /// Finds line and column of the wrong members.
  mutating func locateMembers(in bytes: [UInt8]) {
    guard problems.contains(where: { $0.code == .malformed }) else { return }
    var reader = JSONOffsets(bytes)
    let offsets = reader.all()
    let lines = TextLines(bytes)
    for (number, problem) in problems.enumerated() where problem.code == .malformed {
      guard let offset = offsets[ExactText(problem.pointer)] else { continue }
      let position = lines.position(at: offset)
      if fault.map({ $0.offset > offset }) ?? true {
        let path = problem.pointer.isEmpty ? "" : "\(problem.pointer): "
        fault = GraphDocument.Fault(
          offset: offset, reason: path + problem.message, isLimit: false)
      }
      problems[number].message =
        "line \(position.line), column \(position.column): \(problem.message)"
    }
  }
}

extension Value {
  /// The options an object in a document stands for, which may have been read as a payload that
  /// JSON has no type for; nil for anything else.
  var asOptions: ValueDictionary? {
    switch self {
    case .dictionary(let options): options
    case .vector(let vector): ["vector": .list(vector.components.map(Value.double))]
    case .bytes(let bytes):
      ["bytes": .string(String(decoding: Base64.encode(bytes), as: UTF8.self))]
    case .time(let moment): ["time_ns": .int(moment)]
    default: nil
    }
  }
}

extension String {
  /// In quotes, and cut where it is long.
  var quoted: String { Array(utf8).quotedExcerpt }

  /// As one step of a JSON pointer.
  var escapedForPointer: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
