/// Text compared by its bytes.
///
/// Swift's `String` takes canonically equivalent spellings for equal ("é" in one scalar or in
/// two). Keys, ids and values must not: they print and store differently.
package struct ExactText: Sendable, Hashable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// `String` hashes its normal form, which equal bytes share.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}

extension String {
  /// Whether both are the same bytes.
  package func isSpelt(_ other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
