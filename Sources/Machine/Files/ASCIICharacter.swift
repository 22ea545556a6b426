/// What is asked of characters of the kernel's files and names: nothing beyond ASCII is meant, and
/// no table of Unicode is read.
extension Character {
  /// Whether it is a space, a tab or the end of a line.
  package var isBlank: Bool {
    guard let byte = asciiValue else { return false }
    return byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// Whether it is one of A to Z, or a to z.
  package var isLatinLetter: Bool {
    guard let byte = asciiValue else { return false }
    return (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
