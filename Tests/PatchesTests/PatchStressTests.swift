import GatheredKitTesting
import Gathering
import Ground
import Patches
import Streams
import Testing
import Values

/// Patches that several threads meet in (patches L12, 6).
struct PatchStressTests {
  private func inParallel(_ threads: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
    let workers = try (0..<threads).map { number in
      try WorkerThread(named: "stress") { body(number) }
    }
    for worker in workers { worker.join() }
  }

  @Test func `several threads publish while others wire, subscribe and withdraw`() throws {
    let context = try Context.open("sim:empty", mode: .thread, catalogue: [])
    let graph = Graph(in: context)
    let scale = try context.makePatch("scale")
    try graph.add(scale, as: "s")
    try graph.offer(input: "s.value", as: "in")
    let total = CollectingSink<Int>()
    let counter = Patch(in: context)
    counter.addInput("in") { _, _ in total.sink.receive(1) }
    try scale.connect("value", to: counter, "in")
    let each = 300
    try inParallel(4) { thread in
      for number in 0..<each {
        switch thread {
        case 0, 1: try? graph.patch.set(.int(Int64(number)), for: "in")
        case 2:
          try? graph.offer(output: "s.value", as: "out")
          let output = try? graph.patch.output("out")
          let connection = output?.subscribe { _ in }
          try? graph.patch.removeOutput("out")
          #expect(connection?.isConnected != true)
        default:
          let other = Patch(in: context)
          other.addInput("in") { _, _ in }
          _ = try? graph.patch.connect("out", to: other, "in")
          try? other.disconnect("in")
        }
      }
    }
    try context.flush(timeout: -1)
    // What was published by any thread has arrived, once.
    #expect(total.values.count == 2 * each)
    #expect(scale.outputs["value"]?.subscriberCount == 1)
    try context.close()
  }
}
