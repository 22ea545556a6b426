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
    left.text.isSpelt(right.text)
  }

  /// `String` hashes its normal form, which equal bytes share.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}

extension String {
  /// Whether both are the same bytes.
  package func isSpelt(_ other: String) -> Bool {
    let (own, others) = (utf8, other.utf8)
    // Only what was not made in Swift lies in pieces.
    let isSame = own.withContiguousStorageIfAvailable { own in
      others.withContiguousStorageIfAvailable { others in
        UnsafeRawBufferPointer(own).isSame(as: UnsafeRawBufferPointer(others))
      }
    }
    return (isSame ?? nil) ?? own.elementsEqual(others)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are the same; eight are compared at once.
  fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var place = 0
    while place + 8 <= count {
      let word = loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word != other.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
      place += 8
    }
    while place < count {
      if self[place] != other[place] { return false }
      place += 1
    }
    return true
  }
}
