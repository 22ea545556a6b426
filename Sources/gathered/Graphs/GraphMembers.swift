import Gathering
import Patches
import Values

/// The patches of a graph and of the graphs inside it.
struct GraphMembers {
  /// A patch by the names on the way to it.
  struct Member {
    /// `child`, or `graph.child` inside a graph.
    let path: String
    let patch: Patch
  }

  let all: [Member]

  /// All patches below a graph, each graph before its own.
  init(of graph: Graph) {
    all = Self.members(of: graph, below: "")
  }

  /// Why sources cannot be used at the moment; nil while some of them can, or there are none.
  ///
  /// Prints each source that cannot be used first.
  func failure(in context: Context) throws -> CommandFailure? {
    let sources = all.filter { $0.patch.type == "source" }
    let failures = try sources.compactMap { member -> CommandFailure? in
      let options = member.patch.options
      // All instances may be none.
      if options["instances"] != nil { return nil }
      guard let id = (options["id"] ?? options["kind"])?.text else { return nil }
      let availability = try context.open(id).availability
      if availability.group == .available { return nil }
      return CommandFailure(availability, of: member.path == id ? id : "\(member.path): \(id)")
    }
    for failure in failures { failure.report() }
    return failures.isEmpty || failures.count < sources.count ? nil : CommandFailure("")
  }

  private static func members(of graph: Graph, below path: String) -> [Member] {
    graph.childNames.flatMap { name -> [Member] in
      guard let patch = graph[name] else { return [] }
      let member = Member(path: path + name, patch: patch)
      return [member] + (patch.graph.map { members(of: $0, below: "\(path)\(name).") } ?? [])
    }
  }
}
