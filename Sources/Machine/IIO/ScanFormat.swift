/// How one scan element is stored: `[be|le]:[s|u]BITS/STORAGE[Xrepeat]>>SHIFT`.
///
/// The text of `scan_elements/…_type`. A value is (word >> shift), cut to `bits`, then
/// sign-extended: the unused upper bits are junk, not sign.
public struct ScanFormat: Equatable, Sendable {
  /// Whether words are stored with the most significant byte first.
  public let isBigEndian: Bool
  /// Whether the value has a sign.
  public let isSigned: Bool
  /// Bits of the value, 1 to 64.
  public let bits: Int
  /// Bits of the stored word: 8 to 64, in whole bytes.
  public let storage: Int
  /// How far the word is shifted down.
  public let shift: Int
  /// How many words of this format the element has: 4 for a quaternion.
  public let repeats: Int

  /// The most words an element may have; the kernel's own elements have 4.
  static let mostRepeats = 256

  /// Bytes of one word.
  public var wordSize: Int { storage / 8 }
  /// Bytes of the whole element, to which it is aligned as well.
  public var size: Int { wordSize * repeats }

  /// Makes a format of the given numbers; throws if they are invalid.
  public init(
    isBigEndian: Bool, isSigned: Bool, bits: Int, storage: Int, shift: Int, repeats: Int
  ) throws(ScanFormatError) {
    guard (8...64).contains(storage), storage % 8 == 0 else {
      throw ScanFormatError("storage of \(storage) bits is not 1 to 8 bytes")
    }
    guard (1...storage).contains(bits) else {
      throw ScanFormatError("\(bits) bits do not fit a storage of \(storage)")
    }
    guard (0..<storage).contains(shift) else {
      throw ScanFormatError("a shift of \(shift) leaves nothing of \(storage) bits")
    }
    guard (1...Self.mostRepeats).contains(repeats) else {
      throw ScanFormatError("\(repeats) repetitions are not 1 to \(Self.mostRepeats)")
    }
    self.isBigEndian = isBigEndian
    self.isSigned = isSigned
    self.bits = bits
    self.storage = storage
    self.shift = shift
    self.repeats = repeats
  }

  /// Takes the text of a `_type` attribute apart, white space around it aside.
  public init(_ text: some Sequence<UInt8>) throws(ScanFormatError) {
    var reader = FormatReader(text)
    let isBigEndian = try reader.isFirst("be:", orSecond: "le:")
    // An upper-case letter means that the upper bits are defined, which is not relied on here.
    let isSigned = try reader.isFirst("s", orSecond: "u", ignoringCase: true)
    let bits = try reader.number()
    try reader.skip("/")
    let storage = try reader.number()
    let repeats = reader.takes("X") ? try reader.number() : 1
    let shift = reader.takes(">>") ? try reader.number() : 0
    try reader.finish()
    try self.init(
      isBigEndian: isBigEndian, isSigned: isSigned, bits: bits, storage: storage, shift: shift,
      repeats: repeats)
  }

  /// A time stamp as every driver stores it: 64 bits with a sign, in the order of this machine.
  static let stamp = try? ScanFormat("le:s64/64>>0".utf8)
}

/// What is wrong with a scan format, in one clause.
public struct ScanFormatError: Error, Equatable, Sendable {
  /// The clause.
  public let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// The text of a format and how far it has been read.
private struct FormatReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: some Sequence<UInt8>) {
    let isSpace: (UInt8) -> Bool = { $0 == 32 || (9...13).contains($0) }
    // Bounded: a kernel's text has some fifteen bytes.
    let bytes = Array(text.prefix(4096))
    let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
    rest = bytes[..<end].drop(while: isSpace)
  }

  mutating func takes(_ word: StaticString, ignoringCase: Bool = false) -> Bool {
    let wanted = word.withUTF8Buffer { Array($0) }
    let found = rest.prefix(wanted.count)
    let lowered = ignoringCase ? found.map { (65...90).contains($0) ? $0 + 32 : $0 } : Array(found)
    guard lowered == wanted else { return false }
    rest = rest.dropFirst(wanted.count)
    return true
  }

  mutating func skip(_ word: StaticString) throws(ScanFormatError) {
    guard takes(word) else { throw ScanFormatError("\(word) is missing") }
  }

  mutating func isFirst(
    _ first: StaticString, orSecond second: StaticString, ignoringCase: Bool = false
  ) throws(ScanFormatError) -> Bool {
    if takes(first, ignoringCase: ignoringCase) { return true }
    if takes(second, ignoringCase: ignoringCase) { return false }
    throw ScanFormatError("neither \(first) nor \(second)")
  }

  mutating func number() throws(ScanFormatError) -> Int {
    let digits = rest.prefix { (48...57).contains($0) }
    guard (1...9).contains(digits.count) else { throw ScanFormatError("a number is missing") }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
  }

  func finish() throws(ScanFormatError) {
    guard rest.isEmpty else { throw ScanFormatError("something follows the format") }
  }
}
