import GatheredKitTesting
import Ground
import Streams

/// A tiny notation for time: each character is one millisecond, `-` is silence, a letter a value.
///
/// `"a--b"` is a at 0 ms and b at 3 ms.
struct Marble {
  let events: [(moment: Moment, value: String)]

  init(_ diagram: String) {
    events = diagram.enumerated().compactMap { offset, character in
      character == "-"
        ? nil : (Moment(nanoseconds: Int64(offset) * 1_000_000), String(character))
    }
  }

  /// Plays the diagram into a signal while the clock moves to the end of it.
  func play(into signal: Signal<String>, on clock: ManualClock) {
    let bag = Connector()
    for event in events {
      clock.alarm(at: event.moment) { signal.send(event.value) }.put(into: bag)
    }
    clock.advance(to: (events.last?.moment ?? clock.now) + .milliseconds(1))
  }
}

/// Draws what a stream sends, and when, in the notation of `Marble`.
final class Drawing<Value: Sendable>: Sendable {
  private let collector = CollectingSink<(Moment, String)>()
  let connection: Connection

  init(
    _ stream: some ValueStream<Value>, on clock: ManualClock,
    _ character: @escaping @Sendable (Value) -> String
  ) {
    let collector = collector
    let note = collector.sink
    let signal = Signal<(Moment, String)>()
    let relay = signal.subscribe(note)
    connection = stream.subscribe { value in
      withExtendedLifetime(relay) { _ = signal.send((clock.now, character(value))) }
    }
  }

  var diagram: String {
    var line = ""
    for (moment, character) in collector.values {
      let column = Int(moment.nanoseconds / 1_000_000)
      line += String(repeating: "-", count: max(0, column - line.count)) + character
    }
    return line
  }
}

/// Counts how often it was let go: a thing for sinks to capture.
final class Guest: Sendable {
  private let left: @Sendable () -> Void
  init(_ left: @escaping @Sendable () -> Void) { self.left = left }
  deinit { left() }
  func visit() {}
}
