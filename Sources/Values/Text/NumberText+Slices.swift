extension NumberText {
  /// The text without white space around it, as a part of the same bytes.
  package static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let range = trimmed(text.span)
    return text[text.startIndex + range.lowerBound..<text.startIndex + range.upperBound]
  }

  /// A decimal integer of 64 bits; nil if the text is none.
  package static func integer(_ text: ArraySlice<UInt8>) -> Int64? { try? signed(text.span) }

  /// A decimal number with or without fraction; nil if the text is none.
  package static func decimal(_ text: ArraySlice<UInt8>) -> Double? { try? double(text.span) }
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
