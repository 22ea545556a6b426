/// Reads numbers from the text that kernel and daemons write, without regard to locale.
///
/// White space and a final newline are trimmed first (sources V7). A number fills the rest of the
/// text: hexadecimal, NUL or anything behind it is an error, and so is an exponent in an integer.
public enum NumberText {
  /// Why a text is not a number.
  public enum Failure: Error, Hashable {
    /// Nothing is left after trimming; the value is `noData` (sources V6, V7).
    case empty
    /// The text is not a number of this kind.
    case malformed
    /// The number does not fit the type.
    case outOfRange
  }

  /// Where the text stands without the white space around it; empty when there is no other.
  public static func trimmed(_ text: Span<UInt8>) -> Range<Int> {
    var start = 0
    var end = text.count
    while start < end, isWhiteSpace(text[start]) { start += 1 }
    while end > start, isWhiteSpace(text[end - 1]) { end -= 1 }
    return start..<end
  }

  /// A decimal integer of 64 bits with sign.
  public static func signed(_ text: Span<UInt8>) throws(Failure) -> Int64 {
    let (isNegative, magnitude) = try integer(text)
    if isNegative {
      guard magnitude <= Int64.min.magnitude else { throw .outOfRange }
      return Int64(truncatingIfNeeded: 0 &- magnitude)
    }
    guard let number = Int64(exactly: magnitude) else { throw .outOfRange }
    return number
  }

  /// A decimal integer of 64 bits without sign; a negative one is out of range.
  public static func unsigned(_ text: Span<UInt8>) throws(Failure) -> UInt64 {
    let (isNegative, magnitude) = try integer(text)
    if isNegative && magnitude != 0 { throw .outOfRange }
    return magnitude
  }

  /// A decimal number with or without fraction and exponent; always finite.
  public static func double(_ text: Span<UInt8>) throws(Failure) -> Double {
    let range = trimmed(text)
    if range.isEmpty { throw .empty }
    let decimal = try Decimal(text, range)
    if let exact = decimal.exactDouble { return exact }
    var bytes: [UInt8] = []
    for index in range { bytes.append(text[index]) }
    guard let number = Double(String(decoding: bytes, as: UTF8.self)) else { throw .malformed }
    guard number.isFinite else { throw .outOfRange }
    return number
  }

  /// The text without white space around it, as a part of the same bytes.
  package static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let range = trimmed(text.span)
    return text[text.startIndex + range.lowerBound..<text.startIndex + range.upperBound]
  }

  /// A decimal integer of 64 bits; nil if the text is none.
  package static func integer(_ text: ArraySlice<UInt8>) -> Int64? { try? signed(text.span) }

  /// A decimal number with or without fraction; nil if the text is none.
  package static func decimal(_ text: ArraySlice<UInt8>) -> Double? { try? double(text.span) }

  private static func integer(
    _ text: Span<UInt8>
  ) throws(Failure) -> (isNegative: Bool, magnitude: UInt64) {
    let range = trimmed(text)
    if range.isEmpty { throw .empty }
    let sign = text[range.lowerBound]
    let isSigned = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
    let digits = (range.lowerBound + (isSigned ? 1 : 0))..<range.upperBound
    if digits.isEmpty { throw .malformed }
    var magnitude: UInt64 = 0
    var isTooLarge = false
    for index in digits {
      guard let digit = decimalDigit(text[index]) else { throw .malformed }
      let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(digit)
      isTooLarge = isTooLarge || overflow || carry
      magnitude = sum
    }
    if isTooLarge { throw .outOfRange }
    return (sign == UInt8(ascii: "-"), magnitude)
  }

  fileprivate static func decimalDigit(_ byte: UInt8) -> UInt64? {
    let digit = byte &- UInt8(ascii: "0")
    return digit < 10 ? UInt64(digit) : nil
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}

/// A decimal number taken apart: digits × 10ⁿ.
private struct Decimal {
  private var digits: UInt64 = 0
  private var digitCount = 0
  private var exponent = 0
  private var isNegative = false

  /// Checks the grammar: sign, digits with at most one point, exponent.
  init(_ text: Span<UInt8>, _ range: Range<Int>) throws(NumberText.Failure) {
    var index = range.lowerBound
    let end = range.upperBound
    isNegative = text[index] == UInt8(ascii: "-")
    if isNegative || text[index] == UInt8(ascii: "+") { index += 1 }
    var hasDigit = false
    var isFraction = false
    while index < end {
      if let digit = NumberText.decimalDigit(text[index]) {
        hasDigit = true
        if digitCount > 0 || digit != 0 { digitCount += 1 }
        digits = digits &* 10 &+ digit
        if isFraction { exponent -= 1 }
      } else if text[index] == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      index += 1
    }
    guard hasDigit else { throw .malformed }
    if index < end { exponent += try Self.exponent(text, index..<end) }
  }

  /// The number where one correctly rounded operation gives it: digits and power of ten are both
  /// exact doubles. Nil where that is not so.
  var exactDouble: Double? {
    guard digitCount <= 15, abs(exponent) < Self.powers.count else { return nil }
    let magnitude =
      exponent < 0
      ? Double(digits) / Self.powers[-exponent] : Double(digits) * Self.powers[exponent]
    return isNegative ? -magnitude : magnitude
  }

  private static func exponent(
    _ text: Span<UInt8>, _ range: Range<Int>
  ) throws(NumberText.Failure) -> Int {
    guard text[range.lowerBound] | 0x20 == UInt8(ascii: "e") else { throw .malformed }
    var index = range.lowerBound + 1
    var sign = 1
    if index < range.upperBound {
      if text[index] == UInt8(ascii: "-") { sign = -1 }
      if sign < 0 || text[index] == UInt8(ascii: "+") { index += 1 }
    }
    guard index < range.upperBound else { throw .malformed }
    var exponent = 0
    while index < range.upperBound {
      guard let digit = NumberText.decimalDigit(text[index]) else { throw .malformed }
      // Beyond this the exact value no longer matters: the number is zero or too large.
      exponent = min(exponent * 10 + Int(digit), 1_000_000)
      index += 1
    }
    return sign * exponent
  }

  private static let powers: [Double] = (0...22).reduce(into: [1.0]) { powers, step in
    if step > 0, let last = powers.last { powers.append(last * 10) }
  }
}

extension ArraySlice<UInt8> {
  /// The decimal number these bytes are, and nothing else; nil if not or if it does not fit.
  package var decimal: Int64? {
    if isEmpty { return nil }
    var number: Int64 = 0
    for byte in self {
      let digit = byte &- UInt8(ascii: "0")
      if digit > 9 { return nil }
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(digit))
      if overflow || carry { return nil }
      number = sum
    }
    return number
  }
}
