import Gathering
import Values

extension NumberText {
  /// The text without white space around it, as a part of the same bytes.
  static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let range = trimmed(text.span)
    return text[text.startIndex + range.lowerBound..<text.startIndex + range.upperBound]
  }

  /// A decimal integer of 64 bits; nil if the text is none.
  static func integer(_ text: ArraySlice<UInt8>) -> Int64? { try? signed(text.span) }

  /// A decimal number with or without fraction; nil if the text is none.
  static func decimal(_ text: ArraySlice<UInt8>) -> Double? { try? double(text.span) }
}
