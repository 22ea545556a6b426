import GatheredKitTesting
import Gathering
import Ground
import Patches
import Streams
import Testing
import Values

@testable import SourceKinds

/// Order and loops, by patches 2.5 and 6.
struct LoopTests {
  @Test func `handlers never nest, and values go to the end of one queue, patches L31, L32`()
    throws
  {
    let bench = try Bench()
    let order = CollectingSink<String>()
    let (first, second) = (bench.patch(), bench.patch())
    for output in ["x", "y"] { first.addOutput(output) }
    second.addInput("x") { _, sample in order.add("x \(sample.value.formatted())") }
    second.addInput("y") { _, sample in order.add("y \(sample.value.formatted())") }
    first.addInput("in") { patch, _ in
      order.add("begin")
      try patch.publish(.int(1), on: "y")
      try patch.publish(.int(2), on: "x")
      try second.set(.int(3), for: "y")
      try patch.publish(.int(4), on: "y")
      order.add("end")
    }
    try first.connect("x", to: second, "x")
    try first.connect("y", to: second, "y")
    try first.set(.int(0), for: "in")
    #expect(order.values == ["begin", "end", "y 1", "x 2", "y 3", "y 4"])
  }

  @Test func `a feedback loop ends by itself and uses no stack, patches L33`() throws {
    let bench = try Bench()
    let patch = counter(in: bench, until: 50_000)
    let wire = try patch.connect("out", to: patch, "in")
    #expect(wire.isFeedback)
    try patch.set(.int(0), for: "in")
    #expect(patch.inputs["in"]?.last?.value == .int(50_000))
    #expect(patch.errorCount() == 0)
  }

  @Test func `a cascade is stopped at its limit, once announced, patches L34`() throws {
    let bench = try Bench()
    let patch = counter(in: bench, until: .max)
    try patch.connect("out", to: patch, "in")
    let events = CollectingSink<PatchError>()
    let connection = patch.errors.subscribe { events.add($0) }
    patch.outputs["out"]?.cascadeLimit = 100
    #expect(patch.inputs["in"]?.cascadeLimit == 100)
    try patch.set(.int(1), for: "in")
    #expect(patch.inputs["in"]?.last?.value == .int(100))
    #expect(events.values == [.cascadeLimit(output: "out")])
    try patch.set(.int(1), for: "in")
    #expect(events.values.count == 2)
    connection.disconnect()
  }

  @Test func `a handler that fails because its cascade is full is announced once, patches L34`()
    throws
  {
    let bench = try Bench()
    let patch = bench.patch()
    patch.addOutput("out", .int)
    patch.addInput("in", .int) { patch, sample in
      do {
        try patch.publish(sample.value, on: "out")
      } catch {
        // As doors do, which pass on numbers.
        throw HandlerFailure(code: -20, message: "it answered", isRefusal: true)
      }
    }
    try patch.connect("out", to: patch, "in")
    let events = CollectingSink<PatchError>()
    let connection = patch.errors.subscribe { events.add($0) }
    patch.outputs["out"]?.cascadeLimit = 10
    try patch.set(.int(1), for: "in")
    #expect(events.values == [.cascadeLimit(output: "out")])
    #expect(patch.errorCount("in") == 1)
    // The same answer without a refusal is a failure like any other.
    patch.addInput("in", .int) { _, _ in
      throw HandlerFailure(code: -20, message: "it answered", isRefusal: true)
    }
    try patch.set(.int(1), for: "in")
    #expect(events.values.map(\.code) == ["cascadeLimit", "handlerFailed"])
    connection.disconnect()
  }

  @Test func `values carry the times of their cause, patches L35`() throws {
    let bench = try Bench()
    try bench.context.seek(to: 5_000_000_000)
    let scale = try bench.patch("scale", ["factor": .double(2)])
    let times = CollectingSink<Int64>()
    let connection = scale.outputs["value"]?.subscribe { sample in
      times.add(sample.time)
      times.add(sample.realtime)
    }
    scale.inputs["value"]?.publish(Sample(.int(1), time: 7, realtime: 8))
    try scale.set(.int(1), for: "value")
    let boot: Int64 = 5_000_000_000
    #expect(times.values == [7, 8, boot, 1_700_000_000_000_000_000 + boot])
    withExtendedLifetime(connection) {}
  }

  @Test func `from another thread a value is handed to the loop, in order, patches 6`() throws {
    let bench = try Bench()
    let (patch, seen) = bench.collector()
    let inputs = patch.inputs
    let thread = try WorkerThread(named: "publisher") {
      for number in 0..<100 { inputs["in"]?.publish(Sample(.int(Int64(number)))) }
    }
    thread.join()
    #expect(seen.values == [])
    try bench.context.seek(to: 1)
    #expect(seen.values == (0..<100).map { .int(Int64($0)) })
  }

  @Test func `in thread mode a flush waits for what was handed over, patches 6`() throws {
    let context = try Context.open("sim:laptop", mode: .thread, catalogue: SourceCatalogue.all)
    let patch = Patch(in: context)
    let seen = CollectingSink<Value>()
    patch.addInput("in") { _, sample in seen.add(sample.value) }
    for number in 0..<50 { try patch.set(.int(Int64(number)), for: "in") }
    try context.flush(timeout: -1)
    #expect(seen.values == (0..<50).map { .int(Int64($0)) })
    try context.close()
    #expect(throws: PatchError.closed) { try patch.set(.int(1), for: "in") }
  }

  @Test func `closing a context lets go of handlers and cuts wires, patches 7`() throws {
    let bench = try Bench()
    weak var witness: CollectingSink<Int>?
    let patch = bench.patch()
    do {
      let guest = CollectingSink<Int>()
      witness = guest
      patch.addInput("in") { _, _ in guest.add(1) }
    }
    #expect(witness != nil)
    try bench.context.close()
    #expect(witness == nil)
    #expect(throws: PatchError.closed) { try patch.set(.int(1), for: "in") }
    #expect(throws: PatchError.closed) { try bench.patch("norm") }
    #expect(throws: PatchError.closed) {
      try patch.define(output: PortDescription("x"))
    }
  }

  @Test func `timers of patches stop at every due moment of a manual clock, patches 2.8`() throws {
    let bench = try Bench()
    let clock = try bench.patch("clock", ["interval": .double(0.5)])
    let (ticks, connection) = try clock.collect("tick")
    try bench.seek(seconds: 2)
    #expect(ticks.values == [.int(0), .int(1), .int(2), .int(3)])
    connection.disconnect()
    try bench.seek(seconds: 3.2)
    let (more, again) = try clock.collect("tick")
    try bench.seek(seconds: 4)
    #expect(more.values == [.int(3), .int(6), .int(7)])
    again.disconnect()
  }

  private func counter(in bench: Bench, until limit: Int64) -> Patch {
    let patch = bench.patch()
    patch.addOutput("out", .int)
    patch.addInput("in", .int) { patch, sample in
      guard case .int(let number) = sample.value, number < limit else { return }
      try patch.publish(.int(number + 1), on: "out")
    }
    return patch
  }
}
