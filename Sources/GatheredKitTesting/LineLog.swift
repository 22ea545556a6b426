import Ground

/// Lines in the order in which any threads wrote them; a test can wait for a number of them.
package final class LineLog: Sendable {
  private let state = Monitor<[String]>([])

  /// A log without a line.
  package init() {}

  /// What was written so far.
  package var lines: [String] { state.withLock { $0 } }

  /// Writes a line.
  package func add(_ line: String) {
    state.withLock { $0.append(line) }
    state.signalAll()
  }

  /// All lines, as soon as there are `count`, or when patience ends.
  package func wait(for count: Int) -> [String] {
    _ = state.wait(until: Patience.end) { $0.count >= count ? true : nil }
    return lines
  }
}
