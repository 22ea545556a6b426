import Gathering
import Values

extension DocumentReader {
  // MARK: Wires, values, offered ports

  mutating func wire(
    _ item: Value, at pointer: String, into plan: inout GraphPlan, _ wired: inout Set<Reference>
  ) {
    guard let members = object(item, at: pointer, known: ["from", "to"]) else { return }
    let from = reference(members, "from", isInput: false, at: pointer, in: plan)
    let to = reference(members, "to", isInput: true, at: pointer, in: plan)
    if let to, !wired.insert(to.reference).inserted {
      add(.inputWiredTwice, "\(pointer)/to", "\(quoted(to.reference.text)) is wired already")
    }
    guard let from, let to else { return }
    if let output = from.port?.hint, let input = to.port?.hint, !input.meets(output) {
      add(
        .typeMismatch, pointer,
        "\(quoted(to.reference.text)) takes \(input.rawValue), not \(output.rawValue)")
    }
    plan.wires.append((from.reference, to.reference))
  }

  mutating func constant(_ item: Value, at pointer: String, into plan: inout GraphPlan) {
    guard let members = object(item, at: pointer, known: ["to", "value"]) else { return }
    let to = reference(members, "to", isInput: true, at: pointer, in: plan)
    guard let value = members["value"] else {
      return add(.malformed, pointer, "the member \"value\" is missing")
    }
    guard let to else { return }
    if let hint = to.port?.hint, !hint.takes(value) {
      add(
        .typeMismatch, "\(pointer)/value",
        "\(quoted(to.reference.text)) takes \(hint.rawValue), not \(value.typeWord)")
    }
    plan.values.append((to.reference, value))
  }

  mutating func offer(
    _ item: Value, isInput: Bool, at pointer: String, into plan: inout GraphPlan
  ) {
    let key = isInput ? "to" : "from"
    guard let members = object(item, at: pointer, known: ["name", key]) else { return }
    let name = text(members, "name", at: pointer)
    let target = reference(members, key, isInput: isInput, at: pointer, in: plan)
    guard let name else { return }
    let taken = isInput ? plan.ports.inputs : plan.ports.outputs
    if !name.isChildName {
      return add(.badName, "\(pointer)/name", "\(quoted(name)) cannot be the name of a port")
    }
    if taken.contains(where: { $0.name.isSpelt(name) }) {
      return add(.duplicateName, "\(pointer)/name", "the name \(quoted(name)) is taken")
    }
    guard let target else { return }
    let port = PortDescription(name, target.port?.hint ?? .any, unit: target.port?.unit)
    if isInput {
      plan.ports.inputs.append(port)
      plan.inputs.append((name, target.reference))
    } else {
      plan.ports.outputs.append(port)
      plan.outputs.append((name, target.reference))
    }
  }

  /// A reference to an existing port; its description is nil if the child's ports are unknown.
  private mutating func reference(
    _ members: ValueDictionary, _ key: String, isInput: Bool, at pointer: String,
    in plan: GraphPlan
  ) -> (reference: Reference, port: PortDescription?)? {
    guard let text = text(members, key, at: pointer) else { return nil }
    let place = "\(pointer)/\(key)"
    guard let (childName, portName) = text.asReference else {
      add(.malformed, place, "\(quoted(text)) is no reference: it has no dot")
      return nil
    }
    guard let child = plan.child(named: childName) else {
      add(
        .unknownPatch, place, "there is no patch \(quoted(childName))",
        nearest: nearest(to: childName, among: plan.children.lazy.map(\.name)))
      return nil
    }
    guard let ports = child.ports else { return (Reference(child: childName, port: portName), nil) }
    let all = isInput ? ports.inputs : ports.outputs
    let port =
      all.first { $0.name.isSpelt(portName) }
      ?? portName.snakeCase.flatMap { snake in all.first { $0.name.isSpelt(snake) } }
    guard let port else {
      add(
        .unknownPort, place,
        "\(quoted(childName)) has no \(isInput ? "input" : "output") \(quoted(portName))",
        nearest: nearest(to: portName, among: all.lazy.map(\.name)))
      return nil
    }
    return (Reference(child: childName, port: port.name), port)
  }

  // MARK: Members

  /// The members of an object; unknown ones are reported as problems.
  mutating func object(_ value: Value, at pointer: String, known: [String]) -> ValueDictionary? {
    guard case .dictionary(let members) = value else {
      add(.malformed, pointer, "an object was expected")
      return nil
    }
    for key in members.keys where !known.contains(where: { $0.isSpelt(key) }) {
      add(
        .malformed, "\(pointer)/\(key.escapedForPointer)",
        "there is no member \(quoted(key)) here", nearest: nearest(to: key, among: known))
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

  func quoted(_ name: String) -> String { Array(name.utf8).quotedExcerpt }
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
