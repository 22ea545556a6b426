import Gathering
import Values

/// What a screen remembers of the values of one source.
struct SourceHistory {
  /// One value over time.
  struct Entry {
    /// Its last numbers, the oldest first; of a vector its lengths.
    fileprivate(set) var numbers: [Double] = []
    /// When it changed, on CLOCK_MONOTONIC; nil: it is as it was first.
    fileprivate(set) var changed: Int64?
    fileprivate var last: Field?
  }

  /// As many as the widest curve has columns.
  private static let limit = 240

  /// By the keys of the values.
  private(set) var entries: [String: Entry] = [:]
  /// How many values changed so far.
  private(set) var changes = 0

  /// Takes the values of a reading. Returns whether any of them changed.
  mutating func note(_ fields: [Field], at now: Int64) -> Bool {
    let before = changes
    for field in fields {
      var entry = entries[field.key] ?? Entry()
      if let number = field.sample.value.length, field.sample.status == .ok {
        entry.numbers.append(number)
        if entry.numbers.count > Self.limit { entry.numbers.removeFirst() }
      }
      if let last = entry.last, !last.isAlike(field) {
        entry.changed = now
        changes += 1
      }
      entry.last = field
      entries[field.key] = entry
    }
    return changes > before
  }
}

extension Value {
  /// The number, or the length of the vector.
  fileprivate var length: Double? {
    if case .vector(let vector) = self {
      return vector.components.reduce(0) { $0 + $1 * $1 }.squareRoot()
    }
    return number
  }
}
