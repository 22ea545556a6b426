import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// Wires, subscribers, hints and failures, by patches 2.3 and 2.4.
struct WireTests {
  @Test func `the stream of an output makes the same wire as connect, patches L22`() throws {
    let bench = try Bench()
    let (patch, seen) = bench.collector()
    let feeder = bench.patch()
    feeder.addOutput("out")
    let publink = try #require(feeder.outputs["out"])
    let wire = try patch.setInput("in", publink)
    #expect(wire.output == "out" && wire.input == "in" && !wire.isFeedback)
    #expect(seen.values == [])
    try feeder.publish(.int(1), on: "out")
    #expect(seen.values == [.int(1)])
  }

  @Test func `an observable sends an input its value first, patches L22`() throws {
    let (patch, seen) = try Bench().collector()
    let variable = Variable(Sample(.int(1)))
    try patch.setInput("in", variable)
    variable.value = Sample(.int(2))
    try patch.disconnect("in")
    variable.value = Sample(.int(3))
    #expect(seen.values == [.int(1), .int(2)])
  }

  @Test func `an input has one wire, which moves, patches L23`() throws {
    let bench = try Bench()
    let (patch, seen) = bench.collector()
    let (one, two) = (bench.patch(), bench.patch())
    for feeder in [one, two] { feeder.addOutput("out") }
    try one.connect("out", to: patch, "in")
    try one.connect("out", to: patch, "in")
    try one.publish(.int(1), on: "out")
    try two.connect("out", to: patch, "in")
    try one.publish(.int(2), on: "out")
    try two.publish(.int(3), on: "out")
    #expect(seen.values == [.int(1), .int(3)])
  }

  @Test func `an output feeds several inputs of one patch, patches L24`() throws {
    let bench = try Bench()
    let feeder = bench.patch()
    feeder.addOutput("out")
    let patch = bench.patch()
    let seen = CollectingSink<String>()
    for name in ["a", "b"] {
      patch.addInput(name) { _, _ in seen.add(name) }
      try feeder.connect("out", to: patch, name)
    }
    try feeder.publish(.int(1), on: "out")
    #expect(seen.values == ["a", "b"])
  }

  @Test func `disconnecting keeps the last value, and needs no wire, patches L25`() throws {
    let bench = try Bench()
    let (patch, seen) = bench.collector()
    let feeder = bench.patch()
    feeder.addOutput("out")
    try patch.disconnect("in")
    try feeder.connect("out", to: patch, "in")
    try feeder.publish(.int(1), on: "out")
    try patch.disconnect("in")
    try feeder.publish(.int(2), on: "out")
    #expect(seen.values == [.int(1)])
    #expect(patch.inputs["in"]?.last?.value == .int(1))
  }

  @Test func `a subscriber has one handler, apart from wires, and ends with itself, patches L26`()
    throws
  {
    let bench = try Bench()
    let (patch, seen) = bench.collector()
    let feeder = bench.patch()
    feeder.addOutput("out")
    try feeder.connect("out", to: patch, "in")
    let heard = CollectingSink<Int>()
    try feeder.subscribe(to: "out", for: patch) { _ in heard.add(1) }
    try feeder.subscribe(to: "out", for: patch) { _ in heard.add(2) }
    try feeder.publish(.int(1), on: "out")
    try feeder.unsubscribe(from: "out", for: patch)
    try feeder.publish(.int(2), on: "out")
    #expect(heard.values == [2])
    #expect(seen.values == [.int(1), .int(2)])
    do {
      let visitor = bench.patch()
      try feeder.subscribe(to: "out", for: visitor) { _ in heard.add(3) }
    }
    let before = heard.values.count
    try feeder.publish(.int(3), on: "out")
    #expect(heard.values.count == before)
  }

  @Test func `hints take what they say, ints for doubles, and null, patches L27`() throws {
    let samples: [Value] = [
      .bool(true), .int(1), .double(1), .vector(Vector(1, 2)), .string("a"), .bytes([1]),
      .time(1), .dictionary([:]),
    ]
    for (hint, fit) in zip(PortType.allCases.dropFirst(), samples) {
      for sample in samples {
        let isTaken = sample.type == fit.type || (hint == .double && sample.type == .int)
        #expect(hint.takes(sample) == isTaken)
      }
      #expect(hint.takes(.none))
    }
    #expect(PortType.dict.takes(.list([])))
    #expect(samples.allSatisfy(PortType.any.takes))
  }

  @Test func `a misfit is counted and announced once, and changes nothing, patches L28`() throws {
    let bench = try Bench()
    let (patch, seen) = bench.collector(.double)
    let events = CollectingSink<PatchError>()
    let connection = patch.errors.subscribe { events.add($0) }
    let feeder = bench.patch()
    feeder.addOutput("out")
    try feeder.connect("out", to: patch, "in")
    try feeder.publish(.int(1), on: "out")
    try feeder.publish(.string("x"), on: "out")
    let misfit = PatchError.typeMismatch(port: "in", expected: .double, given: "string")
    #expect(events.values == [misfit])
    #expect(throws: misfit) { try patch.set(.string("y"), for: "in") }
    #expect(events.values.count == 2)
    #expect(patch.errorCount("in") == 2)
    #expect(patch.errorCount() == 2)
    #expect(seen.values == [.int(1)])
    #expect(patch.inputs["in"]?.last?.value == .int(1))
    feeder.addOutput("whole", .int)
    #expect(throws: PatchError.self) { try feeder.publish(.double(1), on: "whole") }
    #expect(feeder.outputs["whole"]?.hasPublished == false)
    #expect(events.values.first?.dictionary["code"] == .string("typeMismatch"))
    connection.disconnect()
  }

  @Test func `wires that cannot fit are refused, and the former stays, patches L29`() throws {
    let bench = try Bench()
    let (patch, seen) = bench.collector(.double)
    let feeder = bench.patch()
    feeder.addOutput("good", .int)
    feeder.addOutput("bad", .string)
    try feeder.connect("good", to: patch, "in")
    #expect(throws: PatchError.self) { try feeder.connect("bad", to: patch, "in") }
    try feeder.publish(.int(1), on: "good")
    #expect(seen.values == [.int(1)])
  }

  @Test func `a failing handler disturbs no other, patches L30`() throws {
    let bench = try Bench()
    let patch = bench.patch()
    let events = CollectingSink<PatchError>()
    let connection = patch.errors.subscribe { events.add($0) }
    patch.addInput("in") { _, sample in
      if sample.value == .int(1) { throw HandlerFailure(code: -100, message: "no") }
    }
    let (other, seen) = bench.collector()
    let feeder = bench.patch()
    feeder.addOutput("out")
    try feeder.connect("out", to: patch, "in")
    try feeder.connect("out", to: other, "in")
    try feeder.publish(.int(1), on: "out")
    try feeder.publish(.int(2), on: "out")
    #expect(events.values == [.handlerFailed(port: "in", code: -100, message: "no")])
    #expect(patch.errorCount("in") == 1)
    #expect(seen.values == [.int(1), .int(2)])
    connection.disconnect()
  }
}
