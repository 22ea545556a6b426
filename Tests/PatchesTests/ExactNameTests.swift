import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// Names that differ in bytes only, which `String` takes for equal (patches L14).
struct ExactNameTests {
  private let bench: Bench
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  init() throws {
    bench = try Bench()
  }

  private func sink(_ seen: CollectingSink<String>) -> Patch {
    let patch = bench.patch()
    for name in [composed, decomposed] {
      patch.addOutput(name)
      patch.addInput(name) { _, _ in seen.sink.receive("\(Array(name.utf8).count)") }
    }
    return patch
  }

  @Test func `ports are told apart by their bytes, patches L14`() throws {
    let seen = CollectingSink<String>()
    let patch = sink(seen)
    let feeder = bench.relay()
    #expect(patch.inputNames.count == 2)
    try feeder.connect("out", to: patch, composed)
    try feeder.connect("out", to: patch, decomposed)
    try feeder.set(.int(1), for: "in")
    #expect(seen.values == ["5", "6"])
    try patch.disconnect(decomposed)
    #expect(try patch.wire(of: composed) != nil)
    #expect(try patch.wire(of: decomposed) == nil)
    try patch.removeInput(composed)
    #expect(throws: PatchError.self) { try patch.set(.int(1), for: composed) }
    try patch.set(.int(1), for: decomposed)
    #expect(seen.values == ["5", "6", "6"])
  }

  @Test func `documents tell them apart, patches L14, L45`() throws {
    let names = [composed, decomposed]
    try bench.context.patchCatalogue.register("two") { patch, _ in
      for name in names {
        patch.addInput(name)
        patch.addOutput(name)
      }
    }
    let graph = Graph(in: bench.context)
    let (one, two) = (try bench.patch("two"), try bench.patch("two"))
    try graph.add(one, as: "one")
    try graph.add(two, as: "two")
    for name in names {
      try one.connect(name, to: two, name)
      try one.set(.int(Int64(name.utf8.count)), for: name)
    }
    let text = try graph.json()
    #expect(Graph.problems(in: text, bench.context.patchCatalogue) == [])
    let loaded = try Graph.load(Array(text.utf8), in: bench.context)
    #expect(Array(try loaded.json().utf8) == Array(text.utf8))
    #expect(try loaded["two"]?.wire(of: composed)?.output.utf8.count == 5)
    #expect(try loaded["two"]?.wire(of: decomposed)?.output.utf8.count == 6)
  }

  @Test func `a member that is spelt otherwise is found where it stands`() throws {
    let text = #"{"format":"gatheredkit.graph","version":1,"\#(composed)":1,"\#(decomposed)":2}"#
    let problems = Graph.problems(in: text, bench.context.patchCatalogue)
    #expect(problems.map { $0.message.prefix(15) } == ["line 1, column ", "line 1, column "])
    #expect(problems.first?.message != problems.last?.message)
  }

  @Test func `the stores that patches record to are told apart by their bytes`() throws {
    final class Sink: SampleSink {
      let seen = CollectingSink<Value>()
      func append(_ sample: Sample, named name: String) throws { seen.add(sample.value) }
    }
    let (first, second) = (Sink(), Sink())
    let sinks = bench.context.sampleSinks
    #expect(sinks.claim(composed, for: first))
    #expect(sinks.claim(decomposed, for: second))
    try bench.patch("record", ["store": .string(decomposed)]).set(.int(1), for: "value")
    #expect(first.seen.values == [])
    #expect(second.seen.values == [.int(1)])
    sinks.giveBack(composed, of: first)
    #expect(sinks[composed] == nil)
    #expect(sinks[decomposed] != nil)
  }
}
