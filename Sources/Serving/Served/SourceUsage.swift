import Ground
import Values

/// How many streams and recordings have each source update.
final class SourceUsage: Sendable {
  private let counts = Lock<[SourceIdentifier: Int]>([:])

  func begin(_ id: SourceIdentifier) { counts.withLock { $0[id, default: 0] += 1 } }

  func end(_ id: SourceIdentifier) {
    counts.withLock { counts in
      guard let count = counts[id] else { return }
      counts[id] = count > 1 ? count - 1 : nil
    }
  }

  func isUpdating(_ id: SourceIdentifier) -> Bool { counts.withLock { $0[id] != nil } }
}
