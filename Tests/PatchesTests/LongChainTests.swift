import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// Chains of thousands of patches: what each link costs, and how they end (patches 8, L36).
struct LongChainTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
  }

  /// In which order the links of a chain are made.
  enum Order: CaseIterable {
    case forwards, backwards, inward, shuffled

    func links(_ count: Int) -> [Int] {
      switch self {
      case .forwards: return Array(0..<count)
      case .backwards: return (0..<count).reversed()
      case .inward: return (0..<count).map { $0 % 2 == 0 ? $0 / 2 : count - 1 - $0 / 2 }
      case .shuffled:
        var generator = Shuffle()
        return (0..<count).shuffled(using: &generator)
      }
    }
  }

  @Test(arguments: Order.allCases)
  func `a link costs the same however long the chain is, and whatever is wired first`(
    _ order: Order
  ) throws {
    let (short, long) = (try visits(chain: 500, order), try visits(chain: 4_000, order))
    // Shuffled links join pieces: each costs the shorter one, a logarithm altogether.
    #expect(long <= short * 8 * 3 / 2)
    #expect(long <= 4_000 * 60)
  }

  @Test func `a link costs the same inside a graph, wherever the chain is added to it`() throws {
    for isWiredFirst in [true, false] {
      let (short, long) = (
        try visits(graph: 500, isWiredFirst), try visits(graph: 4_000, isWiredFirst)
      )
      #expect(long <= short * 9)
      #expect(long <= 4_000 * 20)
    }
  }

  @Test func `a circle is found however long, and by way of the end that is nearer`() throws {
    let chain = try chain(of: 2_000, .forwards)
    let before = chain[0].wiringVisitCount
    #expect(try chain[1_999].connect("out", to: chain[0], "in").isFeedback)
    #expect(chain[0].wiringVisitCount - before <= 20_000)
    let beside = bench.relay()
    try chain[1_999].connect("out", to: beside, "in")
    let narrow = chain[0].wiringVisitCount
    #expect(try !chain[0].connect("out", to: beside, "in").isFeedback)
    #expect(chain[0].wiringVisitCount - narrow <= 20)
  }

  @Test func `a chain of 20 000 patches starts, and is let go without nesting`() throws {
    weak var first: Patch?
    do {
      var last: Patch?
      do {
        let chain = try chain(of: 20_000, .forwards)
        (first, last) = (chain[0], chain[19_999])
      }
      let (seen, connection) = try #require(last).collect("out")
      try #require(first).set(.int(1), for: "in")
      #expect(seen.values == [.int(1)])
      connection.disconnect()
      last = nil
    }
    #expect(first == nil)
  }

  @Test func `patches that keep each other by streams and handlers are let go without nesting`()
    throws
  {
    weak var first: Patch?
    do {
      var last = bench.relay()
      first = last
      for number in 0..<20_000 {
        let next = bench.relay()
        if number % 2 == 0 {
          try next.setInput("in", try last.output("out").map { $0 })
        } else {
          let former = last
          next.addInput("in") { _, _ in withExtendedLifetime(former) {} }
        }
        last = next
      }
      #expect(first != nil)
    }
    #expect(first == nil)
  }

  @Test func `graphs inside graphs are let go without nesting`() throws {
    weak var innermost: Patch?
    do {
      var outer = Graph(in: bench.context).patch
      innermost = outer
      for _ in 0..<2_000 {
        let next = Graph(in: bench.context)
        try next.add(outer, as: "inner")
        outer = next.patch
      }
    }
    #expect(innermost == nil)
  }

  @Test func `a long chain is let go when its context closes`() throws {
    weak var first: Patch?
    var last: Patch?
    do {
      let chain = try chain(of: 20_000, .forwards)
      (first, last) = (chain[0], chain[19_999])
    }
    #expect(first != nil)
    try bench.context.close()
    #expect(first == nil)
    #expect(last?.inputNames == [])
    last = nil
  }

  @Test func `a graph of 20 000 patches goes into a document, out of it and into drawings`() throws
  {
    let graph = Graph(in: bench.context)
    var former: Patch?
    for _ in 0..<20_000 {
      let patch = try bench.patch("scale", ["factor": .int(1)])
      try graph.add(patch)
      try former?.connect("value", to: patch, "value")
      former = patch
    }
    #expect(graph.childNames.last == "scale20000")
    let document = try graph.json()
    let loaded = try Graph.load(Array(document.utf8), in: bench.context)
    #expect(try loaded.json() == document)
    #expect(loaded.dot() == graph.dot())
    #expect(loaded.mermaid().utf8.count { $0 == 0x0A } == 40_000)
    guard case .list(let children) = loaded.patch.info["children"] else {
      Issue.record("a graph has children")
      return
    }
    #expect(children.count == 20_000)
    let (seen, connection) = try #require(loaded["scale20000"]).collect("value")
    try #require(loaded["scale"]).set(.double(2), for: "value")
    #expect(seen.values == [.double(2)])
    connection.disconnect()
    for name in graph.childNames { try graph.remove(name) }
    #expect(graph.childNames.isEmpty)
  }

  // MARK: Counting

  private func chain(of length: Int, _ order: Order) throws -> [Patch] {
    let chain = (0..<length).map { _ in bench.relay() }
    for link in order.links(length - 1) {
      try chain[link].connect("out", to: chain[link + 1], "in")
    }
    return chain
  }

  private func visits(chain length: Int, _ order: Order) throws -> Int {
    let before = bench.patch().wiringVisitCount
    return try chain(of: length, order)[0].wiringVisitCount - before
  }

  private func visits(graph length: Int, _ isWiredFirst: Bool) throws -> Int {
    let graph = Graph(in: bench.context)
    let before = graph.patch.wiringVisitCount
    let chain = try (0..<length).map { _ in try bench.patch("scale") }
    if !isWiredFirst { for patch in chain { try graph.add(patch) } }
    for (one, next) in zip(chain, chain.dropFirst()) {
      try one.connect("value", to: next, "value")
    }
    if isWiredFirst { for patch in chain { try graph.add(patch) } }
    return graph.patch.wiringVisitCount - before
  }
}

/// The same order in every run.
private struct Shuffle: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
