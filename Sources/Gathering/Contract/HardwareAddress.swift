/// Hardware addresses (EUI-48), also inside other text: kernel names, paths of the bus, places.
///
/// Six bytes in hexadecimal digits, separated by colons or their replacements in names: dashes,
/// underscores (BlueZ), the letter o (UPower); without separators after `enx` and similar prefixes,
/// which name interfaces by their addresses.
public enum HardwareAddress {
  /// Six bytes in two-digit upper-case groups with colons; nil for another number of bytes, and for
  /// zeros, which stand for none.
  public static func text(of bytes: [UInt8]) -> String? {
    guard bytes.count == 6, bytes.contains(where: { $0 != 0 }) else { return nil }
    return bytes.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined(separator: ":")
  }

  /// The first address in a text in the form used for digests, upper-case with colons; nil if there
  /// is none.
  public static func first(in text: String) -> String? {
    let bytes = Array(text.utf8)
    return next(in: bytes, from: 0).map { written(bytes[$0]) }
  }

  /// Whether a text has an address.
  static func isIn(_ text: String) -> Bool {
    text.utf8.count >= shortest && next(in: Array(text.utf8), from: 0) != nil
  }

  /// The same text with a digest in place of every address (sources P4).
  public static func withheld(in text: String, by identity: MachineIdentity) -> String {
    let bytes = Array(text.utf8)
    guard var found = next(in: bytes, from: 0) else { return text }
    var shown: [UInt8] = []
    var end = 0
    while true {
      shown += bytes[end..<found.lowerBound]
      shown += identity.digest(of: written(bytes[found])).utf8
      end = found.upperBound
      guard let other = next(in: bytes, from: end) else { break }
      found = other
    }
    return String(decoding: shown + bytes[end...], as: UTF8.self)
  }

  /// The shortest has twelve digits.
  private static let shortest = 12

  /// Where the next address is.
  private static func next(in bytes: [UInt8], from start: Int) -> Range<Int>? {
    guard bytes.count - start >= shortest else { return nil }
    for index in start...(bytes.count - shortest) where isDigit(bytes[index]) {
      if let end = endOfPairs(in: bytes, from: index) ?? endOfName(in: bytes, from: index) {
        return index..<end
      }
    }
    return nil
  }

  /// Where six or more pairs of digits end that begin here, with one sign between them.
  private static func endOfPairs(in bytes: [UInt8], from start: Int) -> Int? {
    guard start == 0 || !isWord(bytes[start - 1]), start + 2 < bytes.count,
      isSeparator(bytes[start + 2])
    else { return nil }
    let separator = bytes[start + 2]
    var (end, pairs) = (start + 2, 1)
    while end + 2 < bytes.count, bytes[end] == separator, isDigit(bytes[end + 1]),
      isDigit(bytes[end + 2])
    {
      end += 3
      pairs += 1
    }
    guard isDigit(bytes[start + 1]), pairs >= 6, end == bytes.count || !isWord(bytes[end]) else {
      return nil
    }
    return end
  }

  /// Where twelve digits end that name an interface, as in `enx0023aabbccdd`.
  private static func endOfName(in bytes: [UInt8], from start: Int) -> Int? {
    guard start >= 3, bytes[start - 1] == UInt8(ascii: "x"), isNameOfLink(bytes, at: start - 3),
      start == 3 || !isWord(bytes[start - 4]), bytes[start..<(start + 12)].allSatisfy(isDigit),
      start + 12 == bytes.count || !isWord(bytes[start + 12])
    else { return nil }
    return start + 12
  }

  /// The address as ids digest it.
  private static func written(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = bytes.filter(isDigit).map { $0 >= 97 ? $0 - 32 : $0 }
    let pairs = stride(from: 0, to: digits.count, by: 2).map {
      String(decoding: digits[$0..<min($0 + 2, digits.count)], as: UTF8.self)
    }
    return pairs.joined(separator: ":")
  }

  /// `en`, `wl` or `ww`.
  private static func isNameOfLink(_ bytes: [UInt8], at index: Int) -> Bool {
    let letters = (bytes[index], bytes[index + 1])
    return letters == (UInt8(ascii: "e"), UInt8(ascii: "n"))
      || letters == (UInt8(ascii: "w"), UInt8(ascii: "l"))
      || letters == (UInt8(ascii: "w"), UInt8(ascii: "w"))
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "o")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }
}

extension MachineIdentity {
  /// The digest of the identity in a serial number or a name: that of the address in it, if there
  /// is one, so that all kinds have the same digest for a device (sources N8).
  public func digest(ofIdentityIn text: String) -> String {
    digest(of: HardwareAddress.first(in: text) ?? text)
  }
}
