import GatheredKitTesting
import Testing
import Values

struct SourceIdentifierTests {
  @Test func `the parts of an id are decoded`() throws {
    let bare = try SourceIdentifier(parsing: "battery")
    #expect(bare.kind == "battery")
    #expect(bare.instance == nil)
    #expect(bare.device == nil)
    let full = try SourceIdentifier(parsing: "accelerometer|bmi%20160@pi.local")
    #expect(full.instance == "bmi 160")
    #expect(full.device == "pi.local")
    #expect(try SourceIdentifier(parsing: "org.example.thing_2").kind == "org.example.thing_2")
  }

  @Test(arguments: [
    ("battery|BAT0", "battery|BAT0"), ("battery|%42AT0", "battery|BAT0"),
    ("battery|a%2fb", "battery|a%2Fb"), ("storage|%2F", "storage|%2F"),
    ("battery|a%7cb@%40", "battery|a%7Cb@%40"), ("wifi|caf%c3%a9", "wifi|caf%C3%A9"),
    ("battery|aggregate~1", "battery|aggregate~1"), ("usb|-._~:+,=", "usb|-._~:+,="),
  ])
  func `N1: parsing then printing gives the canonical text`(text: String, canonical: String) throws
  {
    #expect(try SourceIdentifier(parsing: text).description == canonical)
  }

  @Test func `N1: printing then parsing gives an equal id, whatever the parts`() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let id = try SourceIdentifier(
        kind: "kind", instance: random.text(), device: random.text())
      let read = try SourceIdentifier(parsing: id.description)
      #expect(read == id)
      #expect(read.hashValue == id.hashValue)
      #expect(read.description == id.description)
      #expect(id.description.utf8.allSatisfy { (0x21..<0x7F).contains($0) })
    }
  }

  @Test func `N1: equality regards the decoded bytes, so equal ids print alike`() throws {
    #expect(
      try SourceIdentifier(parsing: "a|%41") == SourceIdentifier(kind: "a", instance: "A"))
    let composed = try SourceIdentifier(kind: "a", instance: "\u{E9}")
    let decomposed = try SourceIdentifier(kind: "a", instance: "e\u{301}")
    #expect(composed != decomposed)
    #expect(composed.description != decomposed.description)
  }

  @Test(arguments: [
    ("", 0, "the text is empty"), ("|x", 0, "the kind is empty"), ("Battery", 0, nil),
    ("battery|", 8, "the instance is missing"), ("battery|@pi", 8, "the instance is empty"),
    ("battery|a@", 10, "the device is missing"), ("battery|a|b", 9, "a second \"|\""),
    ("battery|a@b@c", 11, "a second \"@\""), ("battery@pi", 7, "\"@\" without \"|\""),
    ("battery|a%", 9, "truncated escape"), ("battery|a%4", 9, "truncated escape"),
    ("battery|a%4g", 9, "\"%\" needs two hexadecimal digits"),
    ("battery|a%00", 9, "NUL is not allowed"), ("battery|a\0", 9, "NUL is not allowed"),
    ("battery|ab%C3", 10, "the escapes are not UTF-8"),
    ("battery|%41%FFx", 11, "the escapes are not UTF-8"),
    ("battery|é", 8, "a character outside ASCII must be percent-encoded"),
    ("battery|a b", 9, "a space must be written %20"), ("battery/level", 7, nil),
    ("org..x", 4, "the word of the kind is empty"), ("org.", 4, nil), ("org.1x", 4, nil),
    ("battery|a*", 9, "\"*\" is not allowed here"), ("battery|a\n", 9, nil), ("9x", 0, nil),
  ])
  func `N2: malformed text is an error with byte offset and reason`(
    text: String, offset: Int, reason: String?
  ) {
    let error = #expect(throws: ParseError.self) { try SourceIdentifier(parsing: text) }
    #expect(error?.byteOffset == offset)
    if let reason { #expect(error?.reason == reason) }
    #expect(error?.description.hasPrefix("byte \(offset): ") == true)
  }

  @Test func `N2: invalid UTF-8 is an error at its byte`() {
    let error = #expect(throws: ParseError.self) {
      try SourceIdentifier(parsing: [0x61, 0x7C, 0x62, 0xFF] as [UInt8])
    }
    #expect(error == ParseError(byteOffset: 3, reason: "invalid UTF-8"))
  }

  @Test func `N2: hostile text never traps and what parses is canonical`() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      let bytes = random.mutated(
        "accelerometer|bmi%C3%A9160@pi.local/acceleration/x", alphabet: "|@/%.%0fA ")
      do {
        let id = try Identifier(parsing: bytes)
        #expect(try Identifier(parsing: id.description) == id)
      } catch {
        #expect((0...bytes.count).contains(error.byteOffset))
        #expect(!error.reason.isEmpty)
      }
    }
  }

  @Test func `an id cannot be made of parts that no text could name`() {
    #expect(throws: ParseError.self) { try SourceIdentifier(kind: "") }
    #expect(throws: ParseError.self) { try SourceIdentifier(kind: "a|b") }
    #expect(throws: ParseError.self) { try SourceIdentifier(kind: "a", instance: "") }
    #expect(throws: ParseError.self) { try SourceIdentifier(kind: "a", instance: "b\0") }
    #expect(throws: ParseError.self) { try SourceIdentifier(kind: "a", device: "b") }
  }
}
