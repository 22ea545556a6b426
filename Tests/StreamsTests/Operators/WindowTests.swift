import GatheredKitTesting
import Streams
import Testing

@Suite struct WindowTests {
  let clock = ManualClock()
  let signal = Signal<String>()

  private func drawing(_ stream: any ValueStream<[String]>) -> CollectingSink<String> {
    let lines = CollectingSink<String>()
    let connection = stream.map { $0.joined() }.collect(into: lines)
    Marble("a-bc---d").play(into: signal, on: clock)
    connection.disconnect()
    return lines
  }

  @Test func `the last values of a count, oldest first, from the first on (L37)`() {
    #expect(drawing(signal.window(count: 3)).values == ["a", "ab", "abc", "bcd"])
  }

  @Test(arguments: [1, 0, -4]) func `a count below 1 counts as 1 (L24)`(count: Int) {
    #expect(drawing(signal.window(count: count)).values == ["a", "b", "c", "d"])
  }

  @Test func `the values not older than a duration, its end included (L37)`() {
    let window = signal.window(of: .milliseconds(4), on: clock)
    #expect(drawing(window).values == ["a", "ab", "abc", "cd"])
  }

  @Test(arguments: [0, -1]) func `without duration each value is alone (L24)`(length: Int) {
    let lines = CollectingSink<[String]>()
    let window = signal.window(of: .milliseconds(length), on: clock)
    let connection = window.collect(into: lines)
    signal.send("a")
    signal.send("b")
    #expect(lines.values == [["a"], ["b"]])
    withExtendedLifetime(connection) {}
  }

  @Test func `a subscription starts with an empty window (L21 L23)`() {
    let window = signal.window(count: 2)
    #expect(drawing(window).values.last == "cd")
    signal.send("x")
    let late = CollectingSink<[String]>()
    let connection = window.collect(into: late)
    signal.send("y")
    #expect(late.values == [["y"]])
    withExtendedLifetime(connection) {}
  }
}
