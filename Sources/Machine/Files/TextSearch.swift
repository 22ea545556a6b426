extension StringProtocol {
  /// Whether a text stands in this one, byte by byte.
  ///
  /// `contains` of the standard library's texts brings a parser of regular expressions along, of a
  /// megabyte.
  package func has(part: String) -> Bool {
    let (bytes, wanted) = (Array(utf8), Array(part.utf8))
    guard let first = wanted.first, bytes.count >= wanted.count else { return wanted.isEmpty }
    return (0...bytes.count - wanted.count).contains { start in
      bytes[start] == first && bytes[start..<start + wanted.count].elementsEqual(wanted)
    }
  }
}
