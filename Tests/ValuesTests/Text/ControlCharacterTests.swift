import Testing

@testable import Values

struct ControlCharacterTests {
  /// The library has no table of categories; the tests do.
  @Test func `control characters are those of the general category Cc`() {
    let all = (0...0x10FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init)
    let wrong = all.filter { $0.isControl != ($0.properties.generalCategory == .control) }
    #expect(wrong.map(\.value) == [])
  }

  @Test func `R10 each control character becomes U+FFFD, and nothing else does`() {
    #expect(
      "a\u{7}b\u{7F}\u{85}ü\u{A0}\n".withoutControlCharacters
        == "a\u{FFFD}b\u{FFFD}\u{FFFD}ü\u{A0}\u{FFFD}")
    #expect("größer 🙂".withoutControlCharacters == "größer 🙂")
  }
}
