public import Gathering

/// A graph's document, read once: its problems, or the plan of the graph.
public struct GraphDocument {
  /// A place where the text is malformed.
  public struct Fault: Equatable, Sendable {
    /// In bytes from the beginning.
    public var offset: Int
    /// One clause.
    public var reason: String
    /// Whether it is nested too deep, and not malformed.
    public var isLimit: Bool
  }

  /// All that is wrong with it; empty for a sound document.
  public let problems: [GraphProblem]
  /// The first place that is not JSON, or a wrong member; nil if there is none.
  public let fault: Fault?
  private let plan: GraphPlan
  private let catalogue: PatchCatalogue

  /// Reads a text, which need not be UTF-8; nothing is built.
  public init(_ json: [UInt8], _ catalogue: PatchCatalogue) {
    var reader = DocumentReader(catalogue)
    plan = reader.read(json)
    problems = reader.problems
    fault = reader.fault
    self.catalogue = catalogue
  }

  /// Why it cannot be loaded; nil if it can.
  public var error: PatchError? { problems.isEmpty ? nil : .invalidGraph(problems) }

  /// Makes the graph on the loop of a context: all of it, or nothing.
  ///
  /// Throws `invalidGraph` with all problems. Wires are made, then static values are set, then
  /// values flow.
  public func build(in context: Context) throws(PatchError) -> Graph {
    let queue = context.queue
    return try build(on: LoopRegister.loop(of: queue, clock: queue))
  }

  func build(on loop: PatchLoop) throws(PatchError) -> Graph {
    if loop.isClosed { throw .closed }
    if let error { throw error }
    return try Graph.build(plan, on: loop, catalogue)
  }
}
