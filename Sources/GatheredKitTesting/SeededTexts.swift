extension SeededGenerator {
  /// The bytes of a text with a few of them replaced, removed, doubled or cut off.
  package mutating func mutated(_ text: String, alphabet: String = "") -> [UInt8] {
    var bytes = Array(text.utf8)
    let letters = Array(alphabet.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      guard let position = bytes.indices.randomElement(using: &self) else { break }
      let known = Bool.random(using: &self) ? letters.randomElement(using: &self) : nil
      switch UInt8.random(in: 0..<4, using: &self) {
      case 0: bytes[position] = known ?? .random(in: 0...255, using: &self)
      case 1: bytes.remove(at: position)
      case 2: bytes.insert(known ?? bytes[position], at: position)
      default: bytes.removeSubrange(position...)
      }
    }
    return bytes
  }

  /// Text of some ASCII, some delimiters and some other characters, without NUL; never empty.
  package mutating func text(upTo limit: Int = 12) -> String {
    let letters = Array("abcXYZ019-._~:+,=|@/% é€😀\u{1}\u{7F}\"\\{}[]".unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 1...limit, using: &self) {
      if let letter = letters.randomElement(using: &self) { text.append(letter) }
    }
    return String(text)
  }
}
