import Ground

/// Booleans in the order they were added, from any thread.
final class Flags: Sendable {
  private let flags = Lock<[Bool]>([])

  var values: [Bool] { flags.withLock { $0 } }
  func add(_ flag: Bool) { flags.withLock { $0.append(flag) } }
}
