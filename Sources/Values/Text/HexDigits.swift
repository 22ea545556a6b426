/// Which letters stand for the digits above nine.
package enum HexLetters {
  case lower
  case upper
}

extension UInt8 {
  /// The byte as two hexadecimal digits.
  package func hexadecimal(_ letters: HexLetters) -> String {
    let text = String(self, radix: 16, uppercase: letters == .upper)
    return self < 16 ? "0" + text : text
  }
}

extension Sequence<UInt8> {
  /// The bytes as two lower-case hexadecimal digits each.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The value of an ASCII hexadecimal digit of either case; nil for any other byte.
package func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
