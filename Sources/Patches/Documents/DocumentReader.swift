import Gathering
import Values

/// A document that was read, and its problems.
struct DocumentReader {
  let catalogue: PatchCatalogue
  private var reader = MemberReader()

  /// All that is wrong.
  var problems: [GraphProblem] { reader.problems }
  /// The first place that is malformed.
  var fault: GraphDocument.Fault? { reader.fault }

  init(_ catalogue: PatchCatalogue) {
    self.catalogue = catalogue
  }

  /// Reads a text; the plan is complete only if there are no problems.
  mutating func read(_ json: some Sequence<UInt8>) -> GraphPlan {
    let bytes = Array(json)
    let value: Value
    do {
      value = try Value(json: bytes)
    } catch {
      reader.refuse(error, in: bytes)
      return GraphPlan()
    }
    let plan = graph(value, at: "")
    reader.locateMembers(in: bytes)
    return plan
  }

  // MARK: The parts of a document

  private mutating func graph(_ value: Value, at pointer: String) -> GraphPlan {
    let known = ["format", "version", "patches", "values", "wires", "inputs", "outputs"]
    guard let members = reader.object(value, at: pointer, known: known) else { return GraphPlan() }
    checkVersion(members, at: pointer)
    var plan = GraphPlan()
    for (index, item) in reader.list(members, "patches", at: pointer).enumerated() {
      if let child = child(item, at: "\(pointer)/patches/\(index)", in: plan) {
        plan.add(child)
      }
    }
    var wired: Set<GraphPlan.Reference> = []
    for (index, item) in reader.list(members, "wires", at: pointer).enumerated() {
      wire(item, at: "\(pointer)/wires/\(index)", into: &plan, &wired)
    }
    for (index, item) in reader.list(members, "values", at: pointer).enumerated() {
      constant(item, at: "\(pointer)/values/\(index)", into: &plan)
    }
    for (index, item) in reader.list(members, "inputs", at: pointer).enumerated() {
      offer(item, isInput: true, at: "\(pointer)/inputs/\(index)", into: &plan)
    }
    for (index, item) in reader.list(members, "outputs", at: pointer).enumerated() {
      offer(item, isInput: false, at: "\(pointer)/outputs/\(index)", into: &plan)
    }
    return plan
  }

  private mutating func checkVersion(_ members: ValueDictionary, at pointer: String) {
    if members["format"] != .string(Graph.format) {
      reader.add(.unsupportedVersion, "\(pointer)/format", "the format is not \(Graph.format)")
      // Without a known format the version is not checked.
      if members["version"] == nil { return }
    }
    switch members["version"] {
    case .int(let version) where (1...Graph.version).contains(version): break
    case .int, .double:
      reader.add(
        .unsupportedVersion, "\(pointer)/version",
        "only versions up to \(Graph.version) are understood")
    case nil:
      reader.add(.malformed, pointer, "the member \"version\" is missing")
    default:
      reader.add(.malformed, "\(pointer)/version", "the version is not a number")
    }
  }

  private mutating func child(
    _ item: Value, at pointer: String, in plan: GraphPlan
  ) -> GraphPlan.Child? {
    guard
      let members = reader.object(item, at: pointer, known: ["name", "type", "options", "graph"]),
      let name = reader.text(members, "name", at: pointer),
      let type = reader.text(members, "type", at: pointer)
    else { return nil }
    var isGood = true
    if !name.isChildName {
      reader.add(
        .badName, "\(pointer)/name", "\(name.quoted) cannot be the name of a patch")
      isGood = false
    } else if plan.child(named: name) != nil {
      reader.add(.duplicateName, "\(pointer)/name", "the name \(name.quoted) is taken")
      isGood = false
    }
    let child = self.child(named: name, type, members, at: pointer)
    return isGood ? child : nil
  }

  private mutating func child(
    named name: String, _ type: String, _ members: ValueDictionary, at pointer: String
  ) -> GraphPlan.Child {
    let options = reader.options(members, at: pointer)
    if type == Graph.type {
      if let key = options.keys.first {
        let place = "\(pointer)/options/\(key.escapedForPointer)"
        reader.add(.badOption, place, "a graph has no options")
      }
      guard let document = members["graph"] else {
        reader.add(.malformed, pointer, "the member \"graph\" is missing")
        return GraphPlan.Child(name: name, type: type, options: [:], graph: nil, ports: nil)
      }
      let plan = graph(document, at: "\(pointer)/graph")
      return GraphPlan.Child(name: name, type: type, options: [:], graph: plan, ports: plan.ports)
    }
    if members["graph"] != nil {
      reader.add(.malformed, "\(pointer)/graph", "only a patch of type graph holds a document")
    }
    guard let blueprint = catalogue.blueprint(of: type) else {
      reader.add(
        .unknownPatchType, "\(pointer)/type", "there is no type \(type.quoted)",
        nearest: reader.nearest(to: type, among: catalogue.types))
      return GraphPlan.Child(name: name, type: type, options: options, graph: nil, ports: nil)
    }
    let ports = self.ports(of: blueprint, options, at: pointer)
    return GraphPlan.Child(name: name, type: type, options: options, graph: nil, ports: ports)
  }

  /// Finds the ports by trial; reports each option that is wrong, not only the first.
  private mutating func ports(
    of blueprint: any PatchBlueprint, _ options: ValueDictionary, at pointer: String
  ) -> PortList? {
    var options = options
    while true {
      do {
        return try blueprint.ports(for: options, in: catalogue)
      } catch {
        guard case .badOption(let option, let reason) = error else {
          reader.add(.badOption, "\(pointer)/options", error.message)
          return nil
        }
        let given = options.keys.first { key in
          key.isSpelt(option) || key.snakeCase?.isSpelt(option) == true
        }
        let place = given ?? option
        reader.add(
          .badOption, "\(pointer)/options/\(place.escapedForPointer)",
          "option \(option.quoted): \(reason)",
          nearest: reader.nearest(
            to: option, among: blueprint.options?.map(\.name).filter { $0 != option } ?? []))
        // Without it there may be another one.
        guard let given else { return nil }
        options[given] = nil
      }
    }
  }

  // MARK: Wires, values, offered ports

  private mutating func wire(
    _ item: Value, at pointer: String, into plan: inout GraphPlan,
    _ wired: inout Set<GraphPlan.Reference>
  ) {
    guard let members = reader.object(item, at: pointer, known: ["from", "to"]) else { return }
    let from = reference(members, "from", isInput: false, at: pointer, in: plan)
    let to = reference(members, "to", isInput: true, at: pointer, in: plan)
    if let to, !wired.insert(to.reference).inserted {
      reader.add(
        .inputWiredTwice, "\(pointer)/to", "\(to.reference.text.quoted) is wired already")
    }
    guard let from, let to else { return }
    if let output = from.port?.hint, let input = to.port?.hint, !input.meets(output) {
      reader.add(
        .typeMismatch, pointer,
        "\(to.reference.text.quoted) takes \(input.rawValue), not \(output.rawValue)")
    }
    plan.wires.append((from.reference, to.reference))
  }

  private mutating func constant(_ item: Value, at pointer: String, into plan: inout GraphPlan) {
    guard let members = reader.object(item, at: pointer, known: ["to", "value"]) else { return }
    let to = reference(members, "to", isInput: true, at: pointer, in: plan)
    guard let value = members["value"] else {
      return reader.add(.malformed, pointer, "the member \"value\" is missing")
    }
    guard let to else { return }
    if let hint = to.port?.hint, !hint.takes(value) {
      reader.add(
        .typeMismatch, "\(pointer)/value",
        "\(to.reference.text.quoted) takes \(hint.rawValue), not \(value.typeWord)")
    }
    plan.values.append((to.reference, value))
  }

  private mutating func offer(
    _ item: Value, isInput: Bool, at pointer: String, into plan: inout GraphPlan
  ) {
    let key = isInput ? "to" : "from"
    guard let members = reader.object(item, at: pointer, known: ["name", key]) else { return }
    let name = reader.text(members, "name", at: pointer)
    let target = reference(members, key, isInput: isInput, at: pointer, in: plan)
    guard let name else { return }
    let taken = isInput ? plan.ports.inputs : plan.ports.outputs
    if !name.isChildName {
      return reader.add(
        .badName, "\(pointer)/name", "\(name.quoted) cannot be the name of a port")
    }
    if taken.contains(where: { $0.name.isSpelt(name) }) {
      return reader.add(
        .duplicateName, "\(pointer)/name", "the name \(name.quoted) is taken")
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
  ) -> (reference: GraphPlan.Reference, port: PortDescription?)? {
    guard let text = reader.text(members, key, at: pointer) else { return nil }
    let place = "\(pointer)/\(key)"
    guard let (childName, portName) = text.asReference else {
      reader.add(.malformed, place, "\(text.quoted) is no reference: it has no dot")
      return nil
    }
    guard let child = plan.child(named: childName) else {
      reader.add(
        .unknownPatch, place, "there is no patch \(childName.quoted)",
        nearest: reader.nearest(to: childName, among: plan.children.lazy.map(\.name)))
      return nil
    }
    guard let ports = child.ports else {
      return (GraphPlan.Reference(child: childName, port: portName), nil)
    }
    let all = isInput ? ports.inputs : ports.outputs
    let port =
      all.first { $0.name.isSpelt(portName) }
      ?? portName.snakeCase.flatMap { snake in all.first { $0.name.isSpelt(snake) } }
    guard let port else {
      reader.add(
        .unknownPort, place,
        "\(childName.quoted) has no \(isInput ? "input" : "output") \(portName.quoted)",
        nearest: reader.nearest(to: portName, among: all.lazy.map(\.name)))
      return nil
    }
    return (GraphPlan.Reference(child: childName, port: port.name), port)
  }
}
