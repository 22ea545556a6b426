import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// Ports that graphs offer, and what becomes of what hangs on them (patches L18, L41, L43).
struct OfferedPortTests {
  let bench: Bench
  let inner: Graph
  let outer: Graph
  let scale: Patch

  /// A patch in a graph in a graph; both offer its ports as `in` and `out`.
  init() throws {
    bench = try Bench()
    inner = Graph(in: bench.context)
    outer = Graph(in: bench.context)
    scale = try bench.patch("scale")
    try inner.add(scale, as: "s")
    try inner.offer(input: "s.value", as: "in")
    try inner.offer(output: "s.value", as: "out")
    try outer.add(inner.patch, as: "g")
    try outer.offer(input: "g.in", as: "in")
    try outer.offer(output: "g.out", as: "out")
  }

  @Test func `a withdrawn output takes its subscribers along, and no others, patches L18`() throws {
    let direct = try scale.collect("value")
    let (byInner, first) = try inner.patch.collect("out")
    let named = CollectingSink<Value>()
    try inner.patch.output("out").subscribe(named: "one") { named.add($0.value) }
    let owned = CollectingSink<Value>()
    try inner.patch.subscribe(to: "out", for: owned) { owned.add($0.value) }
    let (byOuter, second) = try outer.patch.collect("out")
    try outer.patch.set(.int(1), for: "in")
    let publink = try inner.patch.output("out")
    try inner.patch.removeOutput("out")
    #expect(!first.isConnected && !second.isConnected)
    try scale.set(.int(2), for: "value")
    for seen in [byInner, named, owned, byOuter] { #expect(seen.values == [.double(1)]) }
    #expect(direct.0.values == [.double(1), .double(2)])
    #expect(publink.publish(Sample(.int(3))) == .refused(.closed))
    #expect(!publink.subscribe { _ in }.isConnected)
    let (collector, _) = bench.collector()
    #expect(throws: PatchError.notFound("out")) { try collector.setInput("in", publink) }
    #expect(outer.patch.outputNames == [])
    direct.1.disconnect()
  }

  @Test func `an outer graph withdraws its own only, patches L18`() throws {
    let (byInner, first) = try inner.patch.collect("out")
    let (byOuter, second) = try outer.patch.collect("out")
    try outer.patch.removeOutput("out")
    #expect(first.isConnected && !second.isConnected)
    try scale.set(.int(2), for: "value")
    #expect(byInner.values == [.double(2)])
    #expect(byOuter.values == [])
    first.disconnect()
  }

  @Test func `a withdrawn port takes the wires along that it was used for, patches L18`() throws {
    let (byConnect, one) = bench.collector()
    let (byStream, two) = bench.collector()
    let (direct, three) = bench.collector()
    try outer.patch.connect("out", to: byConnect, "in")
    try byStream.setInput("in", outer.patch.output("out"))
    try scale.connect("value", to: direct, "in")
    let feed = Signal<Sample>()
    try outer.patch.setInput("in", feed)
    feed.send(Sample(.int(1)))
    try inner.patch.removeOutput("out")
    #expect(try byConnect.wire(of: "in") == nil)
    #expect(try byStream.wire(of: "in") == nil)
    feed.send(Sample(.int(2)))
    try inner.patch.removeInput("in")
    #expect(feed.subscriberCount == 0)
    feed.send(Sample(.int(3)))
    #expect(one.values == [.double(1)])
    #expect(two.values == [.double(1)])
    #expect(three.values == [.double(1), .double(2)])
  }

  @Test func `a removed child's subscribers go that came through the graph, patches L43`() throws {
    let (seen, connection) = try inner.patch.collect("out")
    let (direct, other) = try scale.collect("value")
    try inner.remove("s")
    try scale.set(.int(1), for: "value")
    #expect(seen.values == [])
    #expect(direct.values == [.double(1)])
    #expect(!connection.isConnected && other.isConnected)
    other.disconnect()
  }

  @Test func `however many come and go, those who are there leave, patches L18`() throws {
    let publink = try outer.patch.output("out")
    let bag = Connector()
    for number in 0..<100 {
      let connection = publink.subscribe { _ in }
      if number % 5 == 0 { connection.put(into: bag) }
    }
    #expect(scale.outputs["value"]?.subscriberCount == 20)
    try outer.patch.removeOutput("out")
    #expect(scale.outputs["value"]?.subscriberCount == 0)
    bag.disconnect()
  }

  @Test func `the stream of an offered port keeps graph and child, patches L39`() throws {
    weak var graph: Patch?
    weak var child: Patch?
    var publink: Publink<Sample>?
    do {
      let made = Graph(in: bench.context)
      let norm = try bench.patch("norm")
      (graph, child) = (made.patch, norm)
      try made.add(norm, as: "n")
      try made.offer(output: "n.value", as: "out")
      publink = try made.patch.output("out")
    }
    #expect(graph != nil && child != nil)
    #expect(publink != nil)
    publink = nil
    #expect(graph == nil && child == nil)
  }
}
