public import Gathering
public import Ground
import Streams
import Values

extension Graph {
  /// All that is wrong with a document; nothing is built. A sound document gives an empty list.
  public static func problems(
    in json: String, _ catalogue: PatchCatalogue
  ) -> [GraphProblem] {
    problems(in: Array(json.utf8), catalogue)
  }

  /// The same for bytes, which need not be UTF-8.
  public static func problems(
    in json: [UInt8], _ catalogue: PatchCatalogue
  ) -> [GraphProblem] {
    GraphDocument(json, catalogue).problems
  }

  /// Makes the graph of a document: all of it, or nothing.
  ///
  /// Throws `invalidGraph` with all problems. Wires are made, then static values are set, then
  /// values flow.
  public static func load(
    _ json: String, on queue: any WorkQueue, clock: any Clock, _ catalogue: PatchCatalogue
  ) throws(PatchError) -> Graph {
    try load(Array(json.utf8), on: LoopRegister.loop(of: queue, clock: clock), catalogue)
  }

  /// Makes the graph of a document on the loop of a context.
  public static func load(
    _ json: [UInt8], in context: Context
  ) throws(PatchError) -> Graph {
    try GraphDocument(json, context.patchCatalogue).build(in: context)
  }

  static func load(
    _ json: [UInt8], on loop: PatchLoop, _ catalogue: PatchCatalogue
  ) throws(PatchError) -> Graph {
    try GraphDocument(json, catalogue).build(on: loop)
  }

  /// Makes the planned patches and wires; values flow once all are made.
  static func build(
    _ plan: GraphPlan, on loop: PatchLoop, _ catalogue: PatchCatalogue
  ) throws(PatchError) -> Graph {
    try loop.hold { () throws(PatchError) in
      var constants: [Constant] = []
      let graph = try build(plan, on: loop, catalogue, at: "", &constants)
      for constant in constants { try constant.patch.set(constant.value, for: constant.input) }
      return graph
    }
  }

  /// A static value that is to be set.
  private struct Constant {
    let patch: Patch
    let input: String
    let value: Value
  }

  /// Makes children, wires and offered ports; static values are left for the end.
  private static func build(
    _ plan: GraphPlan, on loop: PatchLoop, _ catalogue: PatchCatalogue,
    at pointer: String, _ constants: inout [Constant]
  ) throws(PatchError) -> Graph {
    let graph = Graph(on: loop)
    var children: [String: Patch] = [:]
    for (index, child) in plan.children.enumerated() {
      let place = "\(pointer)/patches/\(index)"
      let patch: Patch
      if let inner = child.graph {
        patch = try build(inner, on: loop, catalogue, at: "\(place)/graph", &constants).patch
      } else {
        do {
          patch = try catalogue.make(child.type, options: child.options, on: loop)
        } catch .closed {
          throw .closed
        } catch {
          throw .invalidGraph([GraphProblem(.badOption, at: "\(place)/options", error.message)])
        }
      }
      try graph.add(patch, as: child.name)
      children[child.name] = patch
    }
    for wire in plan.wires {
      guard let from = children[wire.from.child], let to = children[wire.to.child] else { continue }
      try from.connect(wire.from.port, to: to, wire.to.port)
    }
    for offer in plan.inputs { try graph.offer(input: offer.to.text, as: offer.name) }
    for offer in plan.outputs { try graph.offer(output: offer.from.text, as: offer.name) }
    for constant in plan.values {
      guard let child = children[constant.to.child] else { continue }
      constants.append(Constant(patch: child, input: constant.to.port, value: constant.value))
    }
    return graph
  }
}
