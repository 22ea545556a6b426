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
    [
      "name": .string(name), "time": JSONBody.moment(sample.realtime),
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
  /// The output that a stream names; nil if there is none.
  func output(named name: String) -> ServedOutput? {
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    return graphs.first { $0.name == parts[0] }?.output(parts[1])
  }
}
