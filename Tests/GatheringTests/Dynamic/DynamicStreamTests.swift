import Ground
import Streams
import Synchronization
import Testing
import Values

@testable import Gathering

/// Streams of samples that know at run time what they can do (streams 2.4, 5).
@Suite struct DynamicStreamTests {
  @Test func `L19: a held value comes first without the flag isNew, the rest with it`() throws {
    let probe = try DynamicProbe()
    let stream = try probe.make("variable", ["value": .int(1)])
    let first = try probe.listen(to: stream)
    let second = try probe.listen(to: stream, futureOnly: true)
    try stream.send(.int(2))
    #expect(probe.take() == ["~1", "2", "2"])
    #expect(stream.subscriberCount == 2)
    first.end()
    second.end()
    #expect(stream.subscriberCount == 0)
    #expect(!first.isConnected)
  }

  @Test func `what is sent is stamped with the present of the context`() throws {
    let probe = try DynamicProbe()
    let stream = try probe.make("variable")
    try probe.context.seek(to: 5)
    try stream.send(.int(1))
    let sample = try #require(try stream.value())
    #expect(sample.time == 5)
    #expect(sample.realtime == probe.context.now.realtime)
  }

  @Test(arguments: ["moving_average", "movingAverage"])
  func `operators have names in snake_case and in lowerCamelCase`(name: String) throws {
    let probe = try DynamicProbe()
    let stream = try probe.make("signal")
    let average = try stream.apply(name, ["window": .int(2)])
    let connection = try probe.listen(to: average)
    try stream.send(.int(1))
    try stream.send(.int(2))
    #expect(probe.take() == ["1.0", "1.5"])
    connection.end()
  }

  @Test func `unknown operators offer the nearest name, and arguments are checked (L24)`() throws {
    let probe = try DynamicProbe()
    let stream = try probe.make("signal")
    #expect(errorWord { _ = try stream.apply("debonce") } == "notFound")
    #expect(errorWord { _ = try stream.apply("debounce") } == "invalidArgument")
    let none: ValueDictionary = ["duration_ns": .int(0)]
    #expect(errorWord { _ = try stream.apply("debounce", none) } == "invalidArgument")
    #expect(errorWord { _ = try stream.apply("tick") } == "notSupported")
    #expect(errorWord { _ = try probe.make("sgnal") } == "notFound")
    #expect(errorWord { _ = try stream.value() } == "notSupported")
  }

  @Test func `L69: distinct looks at payload and status`() throws {
    let probe = try DynamicProbe()
    let stream = try probe.make("signal")
    let connection = try probe.listen(to: try stream.apply("distinct"))
    for value in [
      Value.int(1), .double(1), .double(.nan), .double(.nan), .double(0), .double(-0.0),
    ] {
      try stream.send(value)
    }
    #expect(probe.take().count == 4)
    connection.end()
  }

  @Test func `a result has the moment of the newest of its causes`() throws {
    let probe = try DynamicProbe()
    let left = try probe.make("variable", ["value": .int(1)])
    try probe.context.seek(to: 7)
    let right = try probe.make("variable", ["value": .int(2)])
    try probe.context.seek(to: 9)
    let sum = try DynamicStream.combine([left, right], "+")
    let sample = try #require(try sum.value())
    #expect(sample.time == 7)
    #expect(sample.value == .int(3))
    try left.send(.int(2))
    #expect(try sum.value()?.time == 9)
  }

  @Test func `L62: what combines updatables is set in one transaction, or not at all`() throws {
    let probe = try DynamicProbe()
    let parts = try (1...2).map { try probe.make("variable", ["value": .int($0)]) }
    let both = try DynamicStream.combine(parts, "combine")
    let connection = try probe.listen(to: both)
    try both.send(.list([.int(3), .int(4)]))
    #expect(errorWord { try both.send(.list([.int(9)])) } == "invalidArgument")
    #expect(probe.take() == ["~[1,2]", "[3,4]"])
    connection.end()
  }

  @Test func `L59: what a writing function throws refuses the send and changes nothing`() throws {
    let probe = try DynamicProbe()
    let origin = try probe.make("variable", ["value": .int(1)])
    let mapped = try origin.mapBoth(
      to: { .list([$0]) },
      from: { value in
        guard case .list(let items) = value, let item = items.first else {
          throw SourceError.type("no list")
        }
        return item
      })
    try mapped.send(.list([.int(5)]))
    #expect(errorWord { try mapped.send(.int(5)) } == "type")
    #expect(try origin.value()?.value == .int(5))
  }

  @Test func `L15: a function is let go once, however its subscription ends`() throws {
    let probe = try DynamicProbe()
    let ends = Atomic<Int>(0)
    let count = { @Sendable in _ = ends.add(1, ordering: .relaxed) }
    let stream = try probe.make("signal")
    let connection = try probe.listen(to: stream, onEnd: count)
    connection.end()
    connection.end()
    #expect(ends.load(ordering: .relaxed) == 1)
    let kept = try probe.listen(to: stream, onEnd: count)
    try probe.context.close()
    #expect(ends.load(ordering: .relaxed) == 2)
    #expect(!kept.isConnected)
    #expect(throws: SourceError.closed) { try probe.listen(to: stream, onEnd: count) }
    #expect(ends.load(ordering: .relaxed) == 3)
    #expect(throws: SourceError.closed) { try stream.send(.int(1)) }
    #expect(probe.take() == [])
  }

  @Test func `L44: a tick is its index at the moment that was due`() throws {
    let probe = try DynamicProbe()
    let timer = try probe.make("timer", ["interval_ns": .int(1000)])
    let times = Monitor<[Int64]>([])
    let connection = try timer.subscribe(
      DynamicStream.Subscriber { sample in times.withLock { $0.append(sample.time) } })
    try probe.context.seek(to: 3500)
    #expect(times.withLock { $0 } == [1000, 2000, 3000])
    connection.end()
  }

  @Test func `L67: two updatables are kept equal until the binding ends`() throws {
    let probe = try DynamicProbe()
    let left = try probe.make("variable", ["value": .int(1)])
    let right = try probe.make("variable", ["value": .int(2)])
    try right.begin()
    #expect(errorWord { _ = try left.bind(to: right) } == "unavailable")
    try right.end()
    let binding = try left.bind(to: right)
    try right.send(.int(3))
    #expect(try left.value()?.value == .int(3))
    binding.end()
    try right.send(.int(4))
    #expect(try left.value()?.value == .int(3))
    #expect(errorWord { try left.end() } == "invalidArgument")
  }
}
