import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// Lifetime, by patches 2.6.
struct OwnershipTests {
  @Test func `the last patch of a chain keeps what feeds it, patches L36`() throws {
    let bench = try Bench()
    weak var first: Patch?
    weak var middle: Patch?
    var last: Patch?
    let (collector, seen) = bench.collector()
    do {
      let (a, b) = (bench.relay(), bench.relay())
      (first, middle) = (a, b)
      try a.connect("out", to: b, "in")
      try b.connect("out", to: collector, "in")
      last = collector
    }
    try #require(first).set(.int(1), for: "in")
    #expect(seen.values == [.int(1)])
    try collector.disconnect("in")
    #expect(first == nil)
    #expect(middle == nil)
    withExtendedLifetime(last) {}
  }

  @Test func `an upstream keeps no consumer, patches L36`() throws {
    let bench = try Bench()
    let feeder = bench.relay()
    weak var consumer: Patch?
    do {
      let patch = bench.relay()
      consumer = patch
      try feeder.connect("out", to: patch, "in")
      #expect(feeder.outputs["out"]?.subscriberCount == 1)
    }
    #expect(consumer == nil)
    #expect(feeder.outputs["out"]?.subscriberCount == 0)
  }

  @Test func `a cycle is freed, whatever its length, patches L37`() throws {
    let bench = try Bench()
    for length in 1...4 {
      var witnesses: [Witness] = []
      do {
        let ring = (0..<length).map { _ in bench.relay() }
        witnesses = ring.map(Witness.init)
        var feedbacks = 0
        for (index, patch) in ring.enumerated() {
          let next = ring[(index + 1) % length]
          feedbacks += try patch.connect("out", to: next, "in").isFeedback ? 1 : 0
        }
        #expect(feedbacks == 1)
      }
      #expect(witnesses.allSatisfy { $0.patch == nil })
    }
  }

  @Test func `over a feedback wire the upstream may go first, patches L38`() throws {
    let bench = try Bench()
    let keeper = bench.relay()
    let seen = CollectingSink<Value>()
    keeper.addInput("back") { _, sample in seen.add(sample.value) }
    do {
      let other = bench.relay()
      try keeper.connect("out", to: other, "in")
      let wire = try other.connect("out", to: keeper, "back")
      #expect(wire.isFeedback)
      try other.set(.int(1), for: "in")
    }
    #expect(seen.values == [.int(1)])
    #expect(try keeper.wire(of: "back") == nil)
    #expect(keeper.inputs["back"]?.last?.value == .int(1))
    try keeper.set(.int(2), for: "back")
    #expect(seen.values == [.int(1), .int(2)])
  }

  @Test func `streams and connections of ports keep their patch, patches L39`() throws {
    let bench = try Bench()
    weak var witness: Patch?
    var publink: Publink<Sample>?
    var connection: Connection?
    var errors: (any ValueStream<PatchError>)?
    do {
      let patch = bench.relay()
      witness = patch
      publink = patch.outputs["out"]
    }
    #expect(witness != nil)
    connection = publink?.subscribe { _ in }
    publink = nil
    errors = witness?.errors
    connection?.disconnect()
    connection = nil
    #expect(witness != nil)
    withExtendedLifetime(errors) {}
    errors = nil
    #expect(witness == nil)
  }

  @Test func `data of a handler is let go once, on replacement, removal or the end, patches L40`()
    throws
  {
    let bench = try Bench()
    for step in 0..<3 {
      weak var guest: CollectingSink<Int>?
      var patch: Patch? = bench.patch()
      do {
        let held = CollectingSink<Int>()
        guest = held
        patch?.addInput("in") { _, _ in held.add(1) }
      }
      try patch?.set(.int(1), for: "in")
      #expect(guest?.values == [1])
      switch step {
      case 0: patch?.addInput("in")
      case 1: try patch?.removeInput("in")
      default: patch = nil
      }
      #expect(guest == nil)
    }
  }
}

private struct Witness {
  weak var patch: Patch?
  init(_ patch: Patch) { self.patch = patch }
}
