import Ground
import Streams
import Values

@testable import Gathering
@testable import SourceKinds

/// A world without devices under a clock the test moves, and what subscribers heard.
final class DynamicProbe: Sendable {
  let context: Context
  private let words = Monitor<[String]>([])

  init() throws {
    context = try Context.open(
      "sim:empty&clock=manual", mode: .host, catalogue: SourceCatalogue.all)
  }

  deinit { try? context.close() }

  /// What was heard since the last time.
  func take() -> [String] {
    words.withLock { words in
      defer { words = [] }
      return words
    }
  }

  func write(_ word: String) { words.withLock { $0.append(word) } }

  /// Writes down what a stream sends, an initial value marked by `~`, a status by its word.
  func listen(
    to stream: DynamicStream, futureOnly: Bool = false, onEnd: @escaping @Sendable () -> Void = {}
  ) throws -> DynamicConnection {
    try stream.subscribe(
      DynamicStream.Subscriber(isForFutureOnly: futureOnly, onEnd: onEnd) { [weak self] sample in
        self?.write(Self.word(for: sample))
      })
  }

  static func word(for sample: Sample) -> String {
    let mark = sample.flags.contains(.isNew) ? "" : "~"
    let text = (try? sample.value.json()) ?? "?"
    return mark + (sample.status == .ok ? text : sample.status.word)
  }

  func make(_ type: String, _ options: ValueDictionary = [:]) throws -> DynamicStream {
    try DynamicStream.make(type, options, in: context)
  }
}

/// The error of a call as `notFound(…)` and so on; empty without one.
func errorWord(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch let error as SourceError {
    return String("\(error)".prefix { $0 != "(" })
  } catch {
    return "\(error)"
  }
}
