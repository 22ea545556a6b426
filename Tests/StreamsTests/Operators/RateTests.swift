import GatheredKitTesting
import Ground
import Streams
import Testing

/// `throttle`, `debounce`, `sample`, `batch` and `timeout`.
@Suite struct RateTests {
  let clock = ManualClock()
  let signal = Signal<String>()

  private func draw(_ stream: any ValueStream<String>, _ input: String) -> String {
    let drawing = Drawing(stream, on: clock) { $0 }
    Marble(input).play(into: signal, on: clock)
    clock.advance(by: .milliseconds(20))
    drawing.connection.disconnect()
    #expect(clock.scheduledCount == 0)
    return drawing.diagram
  }

  @Test(arguments: [
    (true, "abc---d-e", "a--c--d--e"),
    (true, "a---b", "a---b"),
    (true, "ab------c", "a--b----c"),
    (true, "abcdefgh", "a--d--g--h"),
    (false, "abc---d-e", "a-----d"),
    (false, "abcdefgh", "a--d--g"),
  ]) func `throttle passes one and closes its gate (L33)`(
    latest: Bool, input: String, output: String
  ) {
    let stream = signal.throttle(.milliseconds(3), latest: latest, on: clock)
    #expect(draw(stream, input) == output)
  }

  @Test(arguments: [
    ("abc", "-----c"), ("a--b", "------b"), ("a---b-c", "---a-----c"), ("", ""),
  ]) func `debounce sends the newest after a silence (L34)`(input: String, output: String) {
    #expect(draw(signal.debounce(.milliseconds(3), on: clock), input) == output)
  }

  @Test(arguments: [
    ("abc-d", "---c--d"), ("------a-b", "------a--b"), ("-a", "---a"),
  ]) func `sample looks at the multiples since the subscription (L35)`(
    input: String, output: String
  ) {
    #expect(draw(signal.sample(every: .milliseconds(3), on: clock), input) == output)
  }

  @Test func `sample counts from the subscription and does not repeat (L35)`() {
    clock.advance(by: .milliseconds(2))
    let drawing = Drawing(signal.sample(every: .milliseconds(3), on: clock), on: clock) { $0 }
    Marble("---a").play(into: signal, on: clock)
    clock.advance(by: .milliseconds(9))
    #expect(drawing.diagram == "-----a")
  }

  @Test func `timeout speaks once in each silence, from the subscription on (L41)`() {
    let stream = signal.timeout(.milliseconds(3), substitute: "x", on: clock)
    #expect(draw(stream, "-----a-b") == "---x-a-b--x")
  }

  @Test func `values pass the timeout before it rings at the same moment (L23 L41)`() {
    let stream = signal.timeout(.milliseconds(3), substitute: "x", on: clock)
    let drawing = Drawing(stream, on: clock) { $0 }
    clock.advance(by: .milliseconds(2))
    // Armed after the timeout: it comes second at the third millisecond.
    let later = clock.alarm(at: Moment(nanoseconds: 3_000_000)) { [signal] in
      signal.send("a")
    }
    clock.advance(by: .milliseconds(1))
    #expect(drawing.diagram == "---xa")
    withExtendedLifetime(later) {}
  }

  @Test func `batches are full, or old enough, and never empty (L36)`() {
    let both = signal.batch(count: 3, within: .milliseconds(4), on: clock)
    #expect(draw(both.map { "[\($0.joined())]" }, "a-bcd--") == "---[abc][d]")
  }

  @Test func `a batch of a count waits for it, one of a time for that (L36)`() {
    let seen = CollectingSink<[String]>()
    let bag = Connector()
    signal.batch(count: 2).collect(into: seen).put(into: bag)
    Marble("abc").play(into: signal, on: clock)
    #expect(seen.take() == [["a", "b"]])
    bag.disconnect()
    signal.batch(within: .milliseconds(4), on: clock).collect(into: seen).put(into: bag)
    for text in ["d", "e", "f"] { signal.send(text) }
    clock.advance(by: .milliseconds(3))
    #expect(seen.values.isEmpty)
    clock.advance(by: .milliseconds(20))
    #expect(seen.values == [["d", "e", "f"]])
  }

  @Test(arguments: [0, -5]) func `no duration passes values through unchanged (L24)`(
    length: Int
  ) {
    let none = Duration.milliseconds(length)
    let seen = CollectingSink<String>()
    let bag = Connector()
    let streams = [
      signal.throttle(none, on: clock), signal.debounce(none, on: clock),
      signal.sample(every: none, on: clock),
      signal.timeout(none, substitute: "x", on: clock),
      signal.batch(within: none, on: clock).map { $0.joined() },
      signal.batch(count: length).map { $0.joined() },
    ]
    for stream in streams { stream.collect(into: seen).put(into: bag) }
    signal.send("a")
    signal.send("b")
    clock.advance(by: .milliseconds(9))
    let all = Array(repeating: "a", count: 6) + Array(repeating: "b", count: 6)
    #expect(seen.values == all)
    #expect(clock.scheduledCount == 0)
  }

  @Test func `state begins with the subscription and is dropped unsent (L17 L21 L23)`() {
    let stream = signal.debounce(.milliseconds(3), on: clock)
    let first = Drawing(stream, on: clock) { $0 }
    signal.send("a")
    #expect(clock.scheduledCount == 1)
    first.connection.disconnect()
    #expect(clock.scheduledCount == 0)
    #expect(signal.subscriberCount == 0)
    let second = Drawing(stream, on: clock) { $0 }
    clock.advance(by: .milliseconds(9))
    #expect(first.diagram == "" && second.diagram == "")
  }

  @Test func `an operator in time has an order of its own, with its limit (L4 L12)`() throws {
    let stream = signal.timeout(.milliseconds(3), substitute: "x", on: clock)
    let ordered = try #require(stream as? any OrderedStream<String>)
    ordered.cascadeLimit = 3
    let log = CollectingSink<String>()
    let own = Box<Connection>()
    own.value = ordered.subscribe { [clock, signal] value in
      log.add(value)
      #expect(ordered.subscriberCount == 1)
      // It is the clock that sends, so the signal is idle and the cascade is the operator's.
      if value == "x" { for text in ["a", "b", "c"] { signal.send(text) } }
      clock.advance(by: .zero)
    }
    clock.advance(by: .milliseconds(3))
    #expect(log.values == ["x", "a", "b"])
    own.value = nil
    #expect(ordered.subscriberCount == 0)
  }

  @Test func `timers of one moment fire in the order they were armed (L23)`() {
    let log = CollectingSink<String>()
    let bag = Connector()
    let stream = signal.debounce(.milliseconds(3), on: clock)
    for name in ["1", "2", "3"] {
      stream.subscribe { log.add(name + $0) }.put(into: bag)
    }
    signal.send("a")
    clock.advance(by: .milliseconds(3))
    #expect(log.values == ["1a", "2a", "3a"])
  }

  @Test func `a sink that moves the clock finds its gate armed (L3 L33)`() {
    let log = CollectingSink<String>()
    let connection = signal.throttle(.milliseconds(3), on: clock).subscribe {
      [signal, clock] value in
      log.add("<" + value)
      if value == "a" {
        signal.send("b")
        clock.advance(by: .milliseconds(3))
      }
      log.add(">")
    }
    signal.send("a")
    clock.advance(by: .milliseconds(3))
    #expect(log.values == ["<a", ">", "<b", ">"])
    withExtendedLifetime(connection) {}
  }
}
