import Gathering
import Values

/// The newest values of several inputs as one.
struct Combine: PatchKind {
  static let type = "combine"
  static let summary = "All newest values as a list, or as a vector of two to four."
  static let inputs = [PortDescription("1"), PortDescription("2")]
  static let outputs = [PortDescription("value")]
  static let options = [
    PortDescription("count", .int, standard: .int(2), isFixed: true),
    PortDescription("as", .string, standard: .string("list"), isFixed: true),
  ]
  static let passesNull = true

  private var values: [Payload?]
  private let makesVector: Bool

  init(_ options: PatchOptions) throws(PatchError) {
    let form = try options.text("as")
    guard form == "list" || form == "vector" else {
      throw .badOption("as", reason: "it is list or vector")
    }
    makesVector = form == "vector"
    let count = try options.count("count", in: makesVector ? 2...4 : 1...256)
    values = Array(repeating: nil, count: count)
  }

  var inputPorts: [PortDescription] {
    values.indices.map { PortDescription(String($0 + 1), makesVector ? .double : .any) }
  }

  var outputPorts: [PortDescription] { [PortDescription("value", makesVector ? .vector : .dict)] }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    guard let index = Int(input), values.indices.contains(index - 1) else { return }
    values[index - 1] = sample.value
    let present = values.compactMap { $0 }
    guard present.count == values.count else { return }
    if makesVector {
      if let vector = Vector(present.compactMap(\.number)) { publish("value", .vector(vector)) }
    } else {
      let list = Value.list(present)
      var budget = Self.sizeLimit
      guard list.isModest(depth: Self.depthLimit, &budget) else {
        // A loop through lists would nest them without end.
        throw HandlerFailure(code: 0, message: "the list has become too large")
      }
      publish("value", list)
    }
  }

  /// How deep lists may be nested, and how many payloads, or 16 bytes of text, they may hold.
  private static let depthLimit = 64
  private static let sizeLimit = 4096
}

extension Value {
  /// Whether it is nested no deeper and holds no more than allowed.
  fileprivate func isModest(depth: Int, _ budget: inout Int) -> Bool {
    budget -= 1
    guard budget >= 0, depth >= 0 else { return false }
    switch self {
    case .list(let items):
      for item in items where !item.isModest(depth: depth - 1, &budget) { return false }
    case .dictionary(let members):
      for item in members.values where !item.isModest(depth: depth - 1, &budget) { return false }
    case .string(let text): budget -= text.utf8.count / 16
    case .bytes(let bytes): budget -= bytes.count / 16
    default: break
    }
    return budget >= 0
  }
}
