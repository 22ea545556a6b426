import Machine

/// Lines in the order they were written, by any thread, for one to wait for.
final class Log: Sendable {
  private let state = Monitor<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func add(_ line: String) {
    state.withLock { $0.append(line) }
    state.signalAll()
  }

  /// All lines, as soon as there are so many or, failing that, in ten seconds.
  func wait(for count: Int) -> [String] {
    _ = state.wait(until: .inTenSeconds) { $0.count >= count ? true : nil }
    return lines
  }
}

extension Int64 {
  /// Long enough for the slowest machine; only a failing test waits for it.
  static var inTenSeconds: Int64 { Monitor<Void>.moment(after: 10_000_000_000) }
}
