import AsyncStreams
import Gathering
import Patches
import Streams
import Testing
import Values

/// Iterations over what belongs to a context (streams L43).
struct ContextStreamTests {
  let context: Context
  let patch: Patch

  init() throws {
    context = try Context.open("sim:empty", mode: .thread, catalogue: [])
    patch = Patch(in: context)
    patch.addOutput("out")
  }

  /// Tasks go from thread to thread, so that a value may have to wait for the loop.
  private func publish(_ number: Int64) throws {
    try patch.publish(.int(number), on: "out")
    try context.flush(timeout: -1)
  }

  @Test func `closing the context ends the sequence, after what waits (L43)`() async throws {
    let numbers = try patch.output("out").map { $0.value }
    var iterator = numbers.asyncValues().makeAsyncIterator()
    try publish(1)
    #expect(await iterator.next() == .int(1))
    try publish(2)
    try context.close()
    #expect(await iterator.next() == .int(2))
    #expect(await iterator.next() == nil)
  }

  @Test func `a task that waits is told of the close (L43)`() async throws {
    let (output, errors) = (try patch.output("out"), patch.errors)
    let values = Task {
      var count = 0
      for await _ in output.asyncValues() { count += 1 }
      return count
    }
    let failures = Task {
      var count = 0
      for await _ in errors.asyncValues() { count += 1 }
      return count
    }
    while output.subscriberCount == 0 { await Task.yield() }
    try publish(1)
    try context.close()
    #expect(await values.value == 1)
    #expect(await failures.value == 0)
  }

  @Test func `an iteration that begins after the close ends at once (L43)`() async throws {
    let (output, errors) = (try patch.output("out"), patch.errors)
    try context.close()
    for await _ in output.asyncValues() { #expect(Bool(false), "a value of a closed context") }
    for await _ in errors.asyncValues() { #expect(Bool(false), "an error of a closed context") }
  }

  @Test func `removing the port ends the sequence, patches L18`() async throws {
    let output = try patch.output("out")
    let task = Task {
      for await _ in output.asyncValues() {}
      return true
    }
    while output.subscriberCount == 0 { await Task.yield() }
    try patch.removeOutput("out")
    #expect(await task.value)
  }
}
