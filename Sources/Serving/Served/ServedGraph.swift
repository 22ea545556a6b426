import Gathering
import Ground
public import Patches
import Streams
import Values

/// A graph that runs while it is served.
public final class ServedGraph: Sendable {
  /// Its name: that of its file, without the extension.
  public let name: String
  private let document: Value
  private let graph: Graph

  /// Serves a graph, with the document that it was made of.
  public init(named name: String, _ graph: Graph, _ document: [UInt8]) {
    self.name = name
    self.graph = graph
    self.document = (try? Value(json: document)) ?? Value.none
  }

  /// Its outputs as streams name them.
  var outputNames: [String] { graph.patch.outputNames.map { "\(name)/\($0)" } }

  /// An output by its own name; nil if there is none.
  func output(_ output: String) -> ServedOutput? {
    graph.patch.outputNames.contains(output) ? ServedOutput(graph.patch, output) : nil
  }

  /// Its outputs as streams that can be recorded, by the names that streams of events give them.
  func outputs(in context: Context) throws(PatchError) -> [(name: String, DynamicStream)] {
    try graph.patch.outputNames.map { output throws(PatchError) in
      ("\(name)/\(output)", DynamicStream(try graph.patch.output(output), in: context))
    }
  }

  /// The outputs of all its nodes, by `NODE.OUTPUT`, with those of graphs inside it.
  var ports: [(name: String, ServedOutput)] { Self.ports(of: graph, below: "") }

  private static func ports(
    of graph: Graph, below prefix: String
  ) -> [(name: String, ServedOutput)] {
    graph.childNames.flatMap { name -> [(name: String, ServedOutput)] in
      guard let child = graph[name] else { return [] }
      let own = child.outputNames.map { ("\(prefix)\(name).\($0)", ServedOutput(child, $0)) }
      return own + (child.graph.map { ports(of: $0, below: "\(prefix)\(name).") } ?? [])
    }
  }

  /// The last values of its nodes' outputs, by name; those that have had none are left out.
  var portValues: ValueDictionary {
    var values = ValueDictionary()
    for (name, port) in ports {
      if let sample = port.last { values[name] = .dictionary(Self.facts(of: sample)) }
    }
    return values
  }

  /// The document, its inputs, and its outputs with their last values.
  var dictionary: ValueDictionary {
    let outputs = graph.patch.outputNames.map { output -> Value in
      let sample = ServedOutput(graph.patch, output).last
      return .dictionary(
        sample.map { Self.facts(of: $0, named: output) } ?? ["name": .string(output)])
    }
    return [
      "name": .string(name), "document": document,
      "inputs": .list(graph.patch.inputNames.map { .dictionary(["name": .string($0)]) }),
      "outputs": .list(outputs),
    ]
  }

  /// A value of an output.
  static func facts(of sample: Sample, named name: String) -> ValueDictionary {
    var facts = facts(of: sample)
    facts["name"] = .string(name)
    return facts
  }

  /// A value of a port.
  static func facts(of sample: Sample) -> ValueDictionary {
    [
      "time": JSONBody.moment(sample.realtime),
      "value": sample.status.hasPayload ? sample.value : Value.none,
      "status": .string(sample.status.word),
    ]
  }
}

/// One output of a served graph.
struct ServedOutput {
  private let patch: Patch
  private let name: String

  init(_ patch: Patch, _ name: String) {
    self.patch = patch
    self.name = name
  }

  /// Its last value; nil before the first.
  var last: Sample? { patch.lastSample(ofOutput: name) }

  /// Calls a body with every value, the last one at once.
  func subscribe(_ body: @escaping @Sendable (Sample) -> Void) throws -> Connection {
    try patch.output(name).subscribe(body)
  }
}

extension ServedContext {
  /// The graph of a name.
  func graph(named name: String) throws(Refusal) -> ServedGraph {
    if let graph = graphs.first(where: { $0.name == name }) { return graph }
    throw Refusal(
      .notFound, Nearest.sentence(to: name, among: graphs.map(\.name), what: "graph"))
  }

  /// The output that a stream names; nil if there is none.
  func output(named name: String) -> ServedOutput? {
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    return graphs.first { $0.name == parts[0] }?.output(parts[1])
  }
}
