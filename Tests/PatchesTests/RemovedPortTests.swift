import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// What ends with a port (patches L16 to L18), wherever it shows.
struct RemovedPortTests {
  private let bench: Bench
  private let graph: Graph
  private let feeder: Patch
  private let consumer: Patch

  init() throws {
    bench = try Bench()
    graph = Graph(in: bench.context)
    (feeder, consumer) = (try bench.patch("scale"), try bench.patch("norm"))
    try graph.add(feeder, as: "feeder")
    try graph.add(consumer, as: "consumer")
    try feeder.connect("value", to: consumer, "vector")
  }

  /// Everything that tells of the wire says that it is there, or that it is not.
  private func expectWire(_ isThere: Bool) throws {
    #expect(try (consumer.wire(of: "vector") != nil) == isThere)
    guard case .list(let inputs) = consumer.info["inputs"],
      case .dictionary(let input) = inputs.first
    else {
      Issue.record("the patch has an input")
      return
    }
    #expect(input["wired"] == .bool(isThere))
    #expect(try graph.json().contains(#"{"from":"feeder.value""#) == isThere)
    #expect(graph.dot().contains("->") == isThere)
    #expect(graph.mermaid().contains("-->") == isThere)
  }

  @Test func `a removed output ends its wires wherever they show, patches L18`() throws {
    try expectWire(true)
    try feeder.removeOutput("value")
    try expectWire(false)
    // What is added later is another output.
    feeder.addOutput("value", .any)
    try expectWire(false)
  }

  @Test func `a replaced output ends its wires wherever they show, patches L17`() throws {
    feeder.addOutput("value", .any)
    try expectWire(false)
    try feeder.connect("value", to: consumer, "vector")
    try expectWire(true)
  }

  @Test func `an ended wire keeps its upstream no longer, patches L17, L18`() throws {
    for isReplaced in [true, false] {
      weak var upstream: Patch?
      var port: Publink<Sample>?
      let (collector, _) = bench.collector()
      do {
        let patch = bench.relay()
        upstream = patch
        try patch.connect("out", to: collector, "in")
        if isReplaced { patch.addOutput("out") } else { try patch.removeOutput("out") }
        port = collector.inputs["in"]
      }
      #expect(upstream == nil)
      #expect(port?.subscriberCount == 0)
    }
  }

  @Test func `a removed output ends the wires made through graphs that offer it, patches L18`()
    throws
  {
    try graph.offer(output: "feeder.value", as: "out")
    let outer = Graph(in: bench.context)
    try outer.add(graph.patch, as: "inner")
    try outer.offer(output: "inner.out", as: "out")
    let (near, _) = bench.collector()
    let (far, _) = bench.collector()
    try graph.patch.connect("out", to: near, "in")
    try outer.patch.connect("out", to: far, "in")
    try feeder.removeOutput("value")
    #expect(try near.wire(of: "in") == nil)
    #expect(try far.wire(of: "in") == nil)
    #expect(outer.patch.outputNames == [])
  }

  @Test func `an input of a graph's own takes the place of one it offers, patches L16`() throws {
    try graph.offer(input: "feeder.factor", as: "in")
    let source = bench.relay()
    try source.connect("out", to: graph.patch, "in")
    graph.patch.addInput("in")
    #expect(graph.patch.inputNames == ["in"])
    #expect(try feeder.wire(of: "factor") == nil)
    try graph.patch.removeInput("in")
    #expect(graph.patch.inputNames == [])
  }

  @Test func `an offered port that vanished gives its name away for good`() throws {
    try graph.offer(output: "feeder.value", as: "out")
    try feeder.removeOutput("value")
    try graph.offer(output: "consumer.value", as: "out")
    feeder.addOutput("value")
    #expect(graph.patch.outputNames == ["out"])
    try feeder.removeOutput("value")
    #expect(try graph.json().contains(#""outputs":[{"name":"out","from":"consumer.value"}]"#))
  }

  /// A stream that keeps a patch, and does something while it is subscribed to.
  private struct Meddling: ValueStream {
    let kept: Patch
    let meddle: @Sendable (Patch) -> Void

    func subscribe(_ sink: Sink<Sample>) -> Connection {
      meddle(kept)
      return Connection { [kept] in _ = kept }
    }
  }

  @Test(arguments: [true, false])
  func `an input removed while it is wired keeps no stream, patches L17`(closes: Bool) throws {
    let context = bench.context
    weak var kept: Patch?
    do {
      let patch = Patch(in: context)
      patch.addInput("in")
      kept = patch
      let stream = Meddling(kept: patch) { patch in
        if closes { try? context.close() } else { try? patch.removeInput("in") }
      }
      #expect(throws: closes ? PatchError.closed : .notFound("in")) {
        try patch.setInput("in", stream)
      }
    }
    #expect(kept == nil)
  }
}
