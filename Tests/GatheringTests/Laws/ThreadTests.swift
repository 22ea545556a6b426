import GatheredKitTesting
import Gathering
import Ground
import Synchronization
import Testing

@testable import SourceKinds

/// A gate threads pass in an order a test gives.
private final class Gate: Sendable {
  private let isOpen = Monitor(false)
  func open() {
    isOpen.withLock { $0 = true }
    isOpen.signalAll()
  }
  func pass() { _ = isOpen.wait { $0 ? true : nil } }
}

@Suite struct ThreadTests {
  @Test func `T6 a stop waits for a callback that is running elsewhere`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory, mode: .thread)
    let source = try sim.open("memory")
    let (entered, leave) = (Gate(), Gate())
    let order = Lock<[String]>([])
    let token = source.addUpdateListener { _ in
      entered.open()
      leave.pass()
      order.withLock { $0.append("callback") }
    }
    try source.startUpdating(every: second)
    entered.pass()
    // A stop of another thread comes first; ours finds an idle session and must wait as well.
    let other = try WorkerThread(named: "stop") {
      try? source.stopUpdating()
      order.withLock { $0.append("stop") }
    }
    while source.isUpdating {}
    let ours = try WorkerThread(named: "stop too") {
      try? source.stopUpdating()
      order.withLock { $0.append("stop") }
    }
    leave.open()
    other.join()
    ours.join()
    #expect(order.withLock { $0 } == ["callback", "stop", "stop"])
    token.end()
    try sim.context.close()
  }

  @Test func `T2 callbacks of one context never overlap`() throws {
    let context = try Context.open("sim:laptop", catalogue: SourceCatalogue.all)
    let inside = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
    let calls = Atomic<Int>(0)
    let work = { @Sendable in
      if inside.wrappingAdd(1, ordering: .relaxed).newValue > 1 {
        overlaps.wrappingAdd(1, ordering: .relaxed)
      }
      calls.wrappingAdd(1, ordering: .relaxed)
      inside.wrappingSubtract(1, ordering: .relaxed)
    }
    var threads: [WorkerThread] = []
    for kind in ["memory", "cpu", "network"] {
      let source = try context.open(kind)
      threads.append(
        try WorkerThread(named: kind) {
          let updates = source.addUpdateListener { _ in work() }
          let events = source.addEventListener { _ in work() }
          for _ in 0..<100 {
            try? source.startUpdating(every: 1_000_000)
            _ = try? source.updateValues()
            try? source.stopUpdating()
          }
          updates.end()
          events.end()
        })
    }
    for thread in threads { thread.join() }
    try context.close()
    #expect(overlaps.load(ordering: .relaxed) == 0)
    #expect(calls.load(ordering: .relaxed) >= 900)
  }

  @Test func `C6 of two threads that close both return when no callback runs`() throws {
    let context = try Context.open("sim:laptop", catalogue: SourceCatalogue.all)
    let (entered, leave) = (Gate(), Gate())
    let order = Lock<[String]>([])
    try context.invoke {
      entered.open()
      leave.pass()
      order.withLock { $0.append("callback") }
    }
    entered.pass()
    let close = { @Sendable in
      try? context.close()
      order.withLock { $0.append("closed") }
    }
    let one = try WorkerThread(named: "one", close)
    let two = try WorkerThread(named: "two", close)
    while !context.isClosed {}
    leave.open()
    one.join()
    two.join()
    #expect(order.withLock { $0 } == ["callback", "closed", "closed"])
  }

  @Test func `many threads do all there is to do at once`() throws {
    for mode in [Context.Mode.thread, .host] {
      let context = try Context.open(
        "sim:phone", allow: .all, mode: mode, catalogue: SourceCatalogue.all)
      let sources = try ["battery", "memory", "cpu", "storage"].map { try context.open($0) }
      var threads: [WorkerThread] = []
      for seed in 0..<4 {
        threads.append(
          try WorkerThread(named: "chaos \(seed)") {
            var random = SeededGenerator(seed: UInt64(seed))
            for _ in 0..<150 { Chaos.step(context, sources, &random) }
          })
      }
      for thread in threads { thread.join() }
      try context.close()
      for source in sources { #expect(!source.isUpdating && !source.allValues.isEmpty) }
    }
  }
}

/// One random call, as often as not inside a callback.
private enum Chaos {
  static func step(_ context: Context, _ sources: [Source], _ random: inout SeededGenerator) {
    guard let source = sources.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: try? source.startUpdating(every: .random(in: 1_000_000...3_000_000, using: &random))
    case 2: try? source.stopUpdating()
    case 3: _ = try? source.updateValues()
    case 4:
      let token = source.addUpdateListener { [unowned source] _ in try? source.stopUpdating() }
      _ = try? source.updateValues()
      token.end()
    case 5:
      let token = source.addEventListener { [unowned source] _ in try? source.startUpdating() }
      try? source.startUpdating(every: 2_000_000)
      token.end()
    case 6: _ = try? context.sources()
    case 7: try? context.rescan()
    case 8: try? context.setAllow(Bool.random(using: &random) ? .all : .none)
    case 9: _ = try? context.dispatch(timeout: 0)
    case 10:
      let token = try? context.watch { _ in }
      token?.end()
    default:
      let other = try? context.open(source.kind.kind)
      try? other?.startUpdating(every: 1_000_000)
      _ = source.rates
    }
  }
}
