import Testing
import Values

struct UTF8TextTests {
  @Test func `V7: bytes that are not UTF-8 become U+FFFD`() {
    let bytes: [UInt8] = [0x61, 0xFF, 0x62, 0xC3]
    #expect(bytes.lenientText == "a\u{FFFD}b\u{FFFD}")
    #expect(Array("é".utf8).lenientText == "é")
  }

  @Test func `V7: a reason quotes forty characters at most`() {
    #expect(Array("abc".utf8).quotedExcerpt == "\"abc\"")
    let forty = String(repeating: "é", count: 40)
    #expect(Array(forty.utf8).quotedExcerpt == "\"\(forty)\"")
    #expect(Array((forty + "x").utf8).quotedExcerpt == "\"\(forty)…\"")
    #expect(([0x61, 0x0A, 0xFF, 0x00] as [UInt8]).quotedExcerpt == "\"a\u{FFFD}\u{FFFD}\u{FFFD}\"")
    let marks = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(Array(marks.utf8).quotedExcerpt.utf8.count < 1000)
  }
}
