import Ground
import Values

/// Texts that never change and never go: keys, names, units and words of the catalogue.
enum Interned {
  private static let store = ProcessLocal { _ in Store() }

  /// The one C copy of a text of the catalogue.
  static func text(_ text: String) -> UnsafePointer<CChar>? { store.value.text(text) }

  private final class Store: Sendable {
    private struct Texts: @unchecked Sendable {
      // Safe: under the monitor's lock; an arena that is never cleared.
      var known: [ExactText: UnsafePointer<CChar>] = [:]
      let arena = Arena()
    }
    private let texts = Monitor(Texts())

    func text(_ text: String) -> UnsafePointer<CChar>? {
      texts.withLock { texts in
        if let known = texts.known[ExactText(text)] { return known }
        let copy = texts.arena.text(text)
        texts.known[ExactText(text)] = copy
        return copy
      }
    }
  }
}
