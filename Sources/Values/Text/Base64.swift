/// Base 64 as RFC 4648 section 4 has it: standard alphabet, with padding, one spelling only.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let digits: [UInt8: UInt32] = Dictionary(
    uniqueKeysWithValues: zip(alphabet, 0...))

  /// The text of bytes, as ASCII.
  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for digit in 0..<4 {
        let value = Int(bits >> UInt32(18 - 6 * digit) & 63)
        text.append(digit <= group.count ? alphabet[value] : UInt8(ascii: "="))
      }
    }
    return text
  }

  /// The bytes of a text; nil unless it is what `encode` would write.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let text = Array(text)
    guard text.count % 4 == 0 else { return nil }
    let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    for (index, letter) in text.dropLast(padding).enumerated() {
      guard let digit = digits[letter] else { return nil }
      bits = bits << 6 | digit
      if index % 4 == 3 {
        bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> UInt32($0)) }
        bits = 0
      }
    }
    // The bits that no byte takes must be zero, or two texts would mean the same bytes.
    switch padding {
    case 1:
      guard bits & 3 == 0 else { return nil }
      bytes += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
    case 2:
      guard bits & 15 == 0 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
    default: break
    }
    return bytes
  }
}
