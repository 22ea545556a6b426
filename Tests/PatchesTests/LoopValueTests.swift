import GatheredKitTesting
import Gathering
import Ground
import Patches
import Streams
import Synchronization
import Testing
import Values

/// What a loop moves, and receivers that are lent for a call.
struct LoopValueTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private static let payloads: [Value] = [
    .none, .bool(true), .int(-7), .double(.pi), .vector(Vector(1, 2)), .vector(Vector(1, 2, 3)),
    .vector(Vector(1, 2, 3, 4)), .time(12), .string("a text that is too long to lie in place"),
    .bytes([1, 2, 3]), .list([.int(1), .string("two")]), .dictionary(["a": .list([.none])]),
  ]

  @Test func `every payload passes a loop as it was, in its order, patches L31`() throws {
    let relay = bench.relay()
    let (end, seen) = bench.collector()
    try relay.connect("out", to: end, "in")
    // What waits behind another value keeps its own.
    let many = bench.patch()
    many.addOutput("out")
    many.addInput("in") { patch, _ in
      for payload in Self.payloads { try patch.publish(payload, on: "out") }
    }
    try many.connect("out", to: relay, "in")
    try many.set(.none, for: "in")
    #expect(seen.values == Self.payloads)
    #expect(end.inputs["in"]?.last?.value == Self.payloads.last)
    for payload in Self.payloads {
      try relay.set(payload, for: "in")
      #expect(relay.outputs["out"]?.last?.value == payload)
      #expect(end.inputs["in"]?.last?.value == payload)
    }
  }

  @Test func `status, times, clock and reason stay with a value`() throws {
    let patch = bench.patch()
    let seen = CollectingSink<Sample>()
    patch.addOutput("out")
    patch.addInput("in") { _, sample in seen.sink.send(sample) }
    try patch.connect("out", to: patch, "in")
    var given = Sample(
      .none, status: .failed, flags: [.isNew, .gap], time: 5, realtime: 6,
      absence: Absence("the wire is cut", errno: 5, remedy: "mend it"))
    given.clockOrigin = .hardware
    try patch.publish(given, on: "out")
    given.sequence = 1
    #expect(seen.values == [given])
    #expect(patch.inputs["in"]?.last == given)
    try patch.publish(.int(1), on: "out")
    #expect(patch.inputs["in"]?.last?.absence == nil)
  }

  @Test func `the reason of a cause goes on to what has no payload either`() throws {
    let (relay, (end, _)) = (bench.relay(), bench.collector())
    try relay.connect("out", to: end, "in")
    let absence = Absence("it sleeps")
    let publink = try relay.input("in")
    publink.publish(Sample(.none, status: .noData, time: 5, realtime: 6, absence: absence))
    let last = try #require(end.inputs["in"]?.last)
    #expect(last.status == .noData && last.absence == absence && last.time == 5)
    publink.publish(Sample(.int(1), time: 7, realtime: 8))
    #expect(end.inputs["in"]?.last?.absence == nil)
  }

  @Test func `an input that is removed in its own call lets go behind it, once, patches L40`()
    throws
  {
    let patch = bench.patch()
    let freed = Freed()
    patch.addInput("in") { [freed = Freed.Note(freed)] patch, _ in
      try patch.removeInput("in")
      #expect(freed.owner.count.load(ordering: .relaxed) == 0)
    }
    try patch.set(.int(1), for: "in")
    #expect(freed.count.load(ordering: .relaxed) == 1)
    #expect(throws: PatchError.self) { try patch.set(.int(2), for: "in") }
  }

  @Test func `an input that is replaced in its own call passes to the new handler`() throws {
    let patch = bench.patch()
    let (freed, seen) = (Freed(), CollectingSink<Value>())
    patch.addInput("in") { [freed = Freed.Note(freed)] patch, _ in
      patch.addInput("in") { _, sample in seen.add(sample.value) }
      withExtendedLifetime(freed) {}
    }
    try patch.set(.int(1), for: "in")
    #expect(freed.count.load(ordering: .relaxed) == 1)
    try patch.set(.int(2), for: "in")
    #expect(seen.values == [.int(2)])
  }

  @Test func `who subscribes to an input finds what its kind has made of the value`() throws {
    let scale = try bench.patch("scale", ["factor": .double(2)])
    let (end, seen) = bench.collector()
    try scale.connect("value", to: end, "in")
    let found = CollectingSink<Value>()
    let connection = try scale.input("value").subscribe { _ in
      found.add(scale.outputs["value"]?.last?.value ?? .none)
    }
    for number in 1...3 { try scale.set(.int(Int64(number)), for: "value") }
    #expect(found.values == [.double(2), .double(4), .double(6)])
    #expect(seen.values == [.double(2), .double(4), .double(6)])
    connection.disconnect()
  }

  @Test func `what a kind publishes joins the cascade of its cause, and waits behind what waits`()
    throws
  {
    let first = try bench.patch("scale", ["factor": .double(10)])
    let source = bench.patch()
    let (end, seen) = bench.collector()
    source.addOutput("out")
    end.addInput("other") { _, sample in seen.add(sample.value) }
    source.addInput("in") { patch, _ in
      for number in 1...3 { try patch.publish(.int(Int64(number)), on: "out") }
    }
    try source.connect("out", to: first, "value")
    try first.connect("value", to: end, "in")
    try source.connect("out", to: end, "other")
    try source.set(.none, for: "in")
    #expect(seen.values == [.int(1), .int(2), .int(3), .double(10), .double(20), .double(30)])
  }

  private final class Freed: Sendable {
    let count = Atomic<Int>(0)

    /// Counts when it is let go.
    final class Note: Sendable {
      let owner: Freed

      init(_ owner: Freed) { self.owner = owner }

      deinit { owner.count.add(1, ordering: .relaxed) }
    }
  }
}
