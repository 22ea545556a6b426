import Gathering
import Ground
import Values

/// The list of sources that C was given last. Mostly the next list is the same: it has the same
/// content then, and the same text as JSON.
final class ListedSources: Sendable {
  fileprivate struct List {
    let rows: [SourceDescription]
    let value: Value
    let text = KeptText()
  }

  private let last = Monitor<List?>(nil)

  /// A container that lists some sources, its owner's to change.
  func object(listing rows: [SourceDescription]) -> DictObject {
    if let known = last.withLock({ $0 }), known.lists(rows) {
      return DictObject(known.value, text: known.text)
    }
    let list = List(rows: rows, value: .list(rows.map { .dictionary($0.dictionary()) }))
    let former = last.withLock { last in
      defer { last = list }
      return last
    }
    // Let go of outside the lock.
    withExtendedLifetime(former) {}
    return DictObject(list.value, text: list.text)
  }
}

extension ListedSources.List {
  /// Whether it is a list of these.
  fileprivate func lists(_ others: [SourceDescription]) -> Bool {
    rows.count == others.count && zip(rows, others).allSatisfy { $0.isSpelt(like: $1) }
  }
}

/// The text of a value as JSON, written when it is first asked for.
final class KeptText: Sendable {
  private let text = Monitor<String?>(nil)

  /// The text of the value, which is always the same. Throws LIMIT and NO_MEMORY.
  func text(of value: Value) throws -> String {
    if let known = text.withLock({ $0 }) { return known }
    let made = try value.checkedJSON()
    text.withLock { $0 = made }
    return made
  }
}
