/// Text compared by its bytes.
///
/// Swift's `String` takes canonically equivalent spellings for equal ("é" in one scalar or in
/// two). Keys, ids and values must not: they print and store differently.
struct ExactText: Sendable, Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// `String` hashes its normal form, which equal bytes share.
  func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}
