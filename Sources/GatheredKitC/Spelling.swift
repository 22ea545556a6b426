/// A text as its bytes: Swift's `String` takes canonically equivalent spellings for equal.
struct Spelling: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: Spelling, right: Spelling) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// `String` hashes its normal form, which equal bytes share.
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
