import Gathering
import OpenCombine
import Patches
import Streams

private let patchCount = 50

/// One sample through a graph of fifty patches that scale it.
func patching() throws -> Trial {
  Trial(
    name: "Swift: one of 50 patches", share: patchCount, aims: ["OpenCombine": "<= 80 ns"],
    participants: [
      ("", try ours()), ("OpenCombine", openCombine()), ("closures", closures()),
    ])
}

private func ours() throws -> () -> Void {
  let context = try Context.open("sim:laptop&clock=manual", mode: .host, catalogue: [])
  let graph = Graph(in: context)
  let patches = try (0..<patchCount).map { _ in
    try context.makePatch("scale", options: ["factor": .double(1.5)])
  }
  for patch in patches { try graph.add(patch) }
  for (former, next) in zip(patches, patches.dropFirst()) {
    try former.connect("value", to: next, "value")
  }
  let input = try patches[0].input("value")
  let output = try patches[patchCount - 1].output("value")
  let connection = output.subscribe { _ in received &+= 1 }
  return {
    input.publish(Sample(.double(1), time: 1, realtime: 1))
    withExtendedLifetime((graph, connection)) {}
  }
}

private func openCombine() -> () -> Void {
  let subject = PassthroughSubject<Double, Never>()
  var stream = subject.eraseToAnyPublisher()
  for _ in 0..<patchCount { stream = stream.map { 1.5 * $0 }.eraseToAnyPublisher() }
  let subscription = stream.sink { _ in received &+= 1 }
  return {
    subject.send(1)
    withExtendedLifetime(subscription) {}
  }
}

private func closures() -> () -> Void {
  var next: (Double) -> Void = { _ in received &+= 1 }
  for _ in 0..<patchCount {
    let sink = next
    next = { sink(1.5 * $0) }
  }
  let first = next
  return { first(1) }
}

/// How much of a core the graph needs for a thousand samples a second, in percent.
func load() throws {
  let run = try ours()
  var second = makeWork { for _ in 0..<1000 { run() } }
  var spent = 0.0
  measure(&second, 1, &spent)
  row("Swift: 50 patches at 1 kHz", spent / 1e9 * 100, "% of a core", "", 0, "<= 0.5 %")
}
