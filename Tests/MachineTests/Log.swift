import GatheredKitTesting
import Ground
import Machine

/// Lines in the order they were written, by any thread, for one to wait for.
final class Log: Sendable {
  private let state = Monitor<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func add(_ line: String) {
    state.withLock { $0.append(line) }
    state.signalAll()
  }

  /// All lines, as soon as there are so many or, failing that, when patience ends.
  func wait(for count: Int) -> [String] {
    _ = state.wait(until: Patience.end) { $0.count >= count ? true : nil }
    return lines
  }
}
