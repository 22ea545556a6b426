/// The information elements of an 802.11 frame: one byte of kind, one of length, and so many more.
///
/// They come off the air from unknown senders: an element that reaches over the end is the end.
struct InformationElements: Sequence, IteratorProtocol {
  /// One element.
  struct Element {
    /// What it is (IEEE 802.11, 9.4.2.1).
    let kind: UInt8
    /// What it says.
    let content: ArraySlice<UInt8>
    /// All of it, as it came.
    let whole: ArraySlice<UInt8>
  }

  private var rest: ArraySlice<UInt8>

  /// The elements of a frame.
  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func next() -> Element? {
    guard rest.count >= 2 else { return nil }
    let length = 2 + Int(rest[rest.startIndex + 1])
    guard length <= rest.count else {
      rest = []
      return nil
    }
    let whole = rest.prefix(length)
    rest = rest.dropFirst(length)
    return Element(kind: whole[whole.startIndex], content: whole.dropFirst(2), whole: whole)
  }
}
