import Gathering
import Values

/// A document that was read, and its problems.
struct DocumentReader {
  /// A child as far as it is known before it is made.
  struct ChildPlan {
    let name: String
    let type: String
    let options: ValueDictionary
    /// The document of a graph.
    let graph: GraphPlan?
    /// Nil where its ports are unknown, because something is wrong with it.
    let ports: PortList?
  }

  /// A graph as it is to be made.
  struct GraphPlan {
    private(set) var children: [ChildPlan] = []
    /// Where each child is in the list: documents may have many.
    private var places: [String: Int] = [:]
    var values: [(to: Reference, value: Value)] = []
    var wires: [(from: Reference, to: Reference)] = []
    var inputs: [(name: String, to: Reference)] = []
    var outputs: [(name: String, from: Reference)] = []
    /// The ports it offers, with their hints.
    var ports = PortList(inputs: [], outputs: [])

    /// The child of a name; nil if there is none.
    func child(named name: String) -> ChildPlan? {
      guard let place = places[name], children[place].name.isSpelt(name) else { return nil }
      return children[place]
    }

    /// Adds a child whose name is valid and not taken.
    mutating func add(_ child: ChildPlan) {
      places[child.name] = children.count
      children.append(child)
    }
  }

  /// A port of a child.
  struct Reference: Hashable {
    let child: String
    private let name: ExactText
    var port: String { name.text }
    var text: String { "\(child).\(port)" }

    init(child: String, port: String) {
      self.child = child
      name = ExactText(port)
    }
  }

  let catalogue: PatchCatalogue
  private(set) var problems: [GraphProblem] = []
  /// How often the nearest name was looked for, each time among all there are.
  private var searchCount = 0
  /// The first place that is malformed.
  private(set) var fault: GraphDocument.Fault?

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
      let position = TextLines(bytes).position(at: error.detail.byteOffset)
      add(
        .malformed, "", "line \(position.line), column \(position.column): \(error.detail.reason)")
      var isLimit = false
      if case .limit = error { isLimit = true }
      fault = GraphDocument.Fault(
        offset: error.detail.byteOffset, reason: error.detail.reason, isLimit: isLimit)
      return GraphPlan()
    }
    let plan = graph(value, at: "")
    locateMembers(in: bytes)
    return plan
  }

  // MARK: The parts of a document

  private mutating func graph(_ value: Value, at pointer: String) -> GraphPlan {
    let known = ["format", "version", "patches", "values", "wires", "inputs", "outputs"]
    guard let members = object(value, at: pointer, known: known) else { return GraphPlan() }
    checkVersion(members, at: pointer)
    var plan = GraphPlan()
    for (index, item) in list(members, "patches", at: pointer).enumerated() {
      if let child = child(item, at: "\(pointer)/patches/\(index)", in: plan) {
        plan.add(child)
      }
    }
    var wired: Set<Reference> = []
    for (index, item) in list(members, "wires", at: pointer).enumerated() {
      wire(item, at: "\(pointer)/wires/\(index)", into: &plan, &wired)
    }
    for (index, item) in list(members, "values", at: pointer).enumerated() {
      constant(item, at: "\(pointer)/values/\(index)", into: &plan)
    }
    for (index, item) in list(members, "inputs", at: pointer).enumerated() {
      offer(item, isInput: true, at: "\(pointer)/inputs/\(index)", into: &plan)
    }
    for (index, item) in list(members, "outputs", at: pointer).enumerated() {
      offer(item, isInput: false, at: "\(pointer)/outputs/\(index)", into: &plan)
    }
    return plan
  }

  private mutating func checkVersion(_ members: ValueDictionary, at pointer: String) {
    if members["format"] != .string(Graph.format) {
      add(.unsupportedVersion, "\(pointer)/format", "the format is not \(Graph.format)")
      // Without a known format the version is not checked.
      if members["version"] == nil { return }
    }
    switch members["version"] {
    case .int(let version) where (1...Graph.version).contains(version): break
    case .int, .double:
      add(
        .unsupportedVersion, "\(pointer)/version",
        "only versions up to \(Graph.version) are understood")
    case nil:
      add(.malformed, pointer, "the member \"version\" is missing")
    default:
      add(.malformed, "\(pointer)/version", "the version is not a number")
    }
  }

  private mutating func child(
    _ item: Value, at pointer: String, in plan: GraphPlan
  ) -> ChildPlan? {
    guard
      let members = object(item, at: pointer, known: ["name", "type", "options", "graph"]),
      let name = text(members, "name", at: pointer), let type = text(members, "type", at: pointer)
    else { return nil }
    var isGood = true
    if !name.isChildName {
      add(.badName, "\(pointer)/name", "\(quoted(name)) cannot be the name of a patch")
      isGood = false
    } else if plan.child(named: name) != nil {
      add(.duplicateName, "\(pointer)/name", "the name \(quoted(name)) is taken")
      isGood = false
    }
    let child = self.child(named: name, type, members, at: pointer)
    return isGood ? child : nil
  }

  private mutating func child(
    named name: String, _ type: String, _ members: ValueDictionary, at pointer: String
  ) -> ChildPlan {
    let options = self.options(members, at: pointer)
    if type == Graph.type {
      if let key = options.keys.first {
        let place = "\(pointer)/options/\(key.escapedForPointer)"
        add(.badOption, place, "a graph has no options")
      }
      guard let document = members["graph"] else {
        add(.malformed, pointer, "the member \"graph\" is missing")
        return ChildPlan(name: name, type: type, options: [:], graph: nil, ports: nil)
      }
      let plan = graph(document, at: "\(pointer)/graph")
      return ChildPlan(name: name, type: type, options: [:], graph: plan, ports: plan.ports)
    }
    if members["graph"] != nil {
      add(.malformed, "\(pointer)/graph", "only a patch of type graph holds a document")
    }
    guard let blueprint = catalogue.blueprint(of: type) else {
      add(
        .unknownPatchType, "\(pointer)/type", "there is no type \(quoted(type))",
        nearest: nearest(to: type, among: catalogue.types))
      return ChildPlan(name: name, type: type, options: options, graph: nil, ports: nil)
    }
    let ports = self.ports(of: blueprint, options, at: pointer)
    return ChildPlan(name: name, type: type, options: options, graph: nil, ports: ports)
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
          add(.badOption, "\(pointer)/options", error.message)
          return nil
        }
        let given = options.keys.first { key in
          key.isSpelt(option) || key.snakeCase?.isSpelt(option) == true
        }
        let place = given ?? option
        add(
          .badOption, "\(pointer)/options/\(place.escapedForPointer)",
          "option \(quoted(option)): \(reason)",
          nearest: nearest(
            to: option, among: blueprint.options?.map(\.name).filter { $0 != option } ?? []))
        // Without it there may be another one.
        guard let given else { return nil }
        options[given] = nil
      }
    }
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

  /// Finds line and column of the wrong members.
  private mutating func locateMembers(in bytes: [UInt8]) {
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
