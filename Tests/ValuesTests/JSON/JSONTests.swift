import GatheredKitTesting
import Testing
import Values

struct JSONTests {
  private static let readings: [(String, Value)] = [
    ("null", Value.none), (" true ", .bool(true)), ("false", .bool(false)), ("0", .int(0)),
    ("-0", .int(0)), ("-12", .int(-12)), ("1.0", .double(1)), ("1e2", .double(100)),
    ("1E-2", .double(0.01)), ("9223372036854775807", .int(.max)),
    ("-9223372036854775808", .int(.min)), ("9223372036854775808", .double(0x1p63)),
    ("\"a\\n\\u00e9\\ud83d\\ude00\\/\\u0000\"", .string("a\né😀/\0")), ("\"é\"", .string("é")),
    ("[]", .list([])), ("{}", .dictionary([:])),
    ("[1, \"a\" ,null]", .list([.int(1), .string("a"), .none])),
    ("{\"b\":1,\"a\":2}", .dictionary(["b": .int(1), "a": .int(2)])),
    ("{\"vector\":[1,2.5,-3]}", .vector(Vector(1, 2.5, -3))),
    ("{\"bytes\":\"AP8=\"}", .bytes([0, 0xFF])), ("{\"bytes\":\"\"}", .bytes([])),
    ("{\"time_ns\":-5}", .time(-5)),
    ("{\"vector\":[1]}", .dictionary(["vector": .list([.int(1)])])),
    ("{\"vector\":[1,2,3,4,5]}", .dictionary(["vector": .list((1...5).map { .int($0) })])),
    ("{\"vector\":[1,\"a\"]}", .dictionary(["vector": .list([.int(1), .string("a")])])),
    ("{\"bytes\":1024}", .dictionary(["bytes": .int(1024)])),
    ("{\"bytes\":\"AP9=\"}", .dictionary(["bytes": .string("AP9=")])),
    ("{\"time_ns\":1.5}", .dictionary(["time_ns": .double(1.5)])),
    ("{\"time_ns\":1,\"a\":2}", .dictionary(["time_ns": .int(1), "a": .int(2)])),
  ]

  @Test(arguments: readings)
  func `R11: text reads as the value it spells`(text: String, value: Value) throws {
    let read = try Value(json: text)
    #expect(read == value)
    #expect(read.type == value.type)
  }

  @Test func `R11: members keep their order`() throws {
    let text = "{\"z\":1,\"a\":{\"y\":[],\"b\":{}},\"m\":0.5}"
    #expect(try Value(json: text).json() == text)
  }

  @Test(arguments: [
    ("", 0), ("  ", 2), ("nul", 0), ("True", 0), ("1 2", 2), ("[1,]", 3), ("[1 2]", 3), ("[", 1),
    ("{\"a\":1,}", 7), ("{\"a\"}", 4), ("{a:1}", 1), ("{\"a\":}", 5), ("01", 1), ("-", 1),
    ("1.", 2),
    (".5", 0), ("+1", 0), ("1e", 2), ("1e+", 3), ("1e999", 0), ("[-1e400]", 1), ("\"a", 2),
    ("\"\\x\"", 1), ("\"\\u12g4\"", 5), ("\"\\ud800\"", 1), ("\"\\ude00\"", 1),
    ("\"\\ud800\\u0041\"", 1), ("\"a\nb\"", 2), ("\"\\", 2), ("NaN", 0), ("Infinity", 0),
    ("{\"a\":1,\"b\":2,\"a\":3}", 13), ("{\"a\":1,\"\\u0061\":3}", 7), ("//x\n1", 0), ("'a'", 0),
    ("\u{FEFF}1", 0), ("[1}", 2), ("{\"a\":1]", 6), ("\u{A0}1", 0), ("0x10", 1), ("nullx", 4),
  ])
  func `R11: whatever RFC 8259 does not allow is an error at its byte`(text: String, offset: Int) {
    let error = #expect(throws: JSONReadError.self) { try Value(json: text) }
    guard case .parse(let detail)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(detail.byteOffset == offset)
    #expect(error?.description.hasPrefix("byte \(offset): ") == true)
  }

  @Test(arguments: [
    ([0x22, 0x61, 0xFF, 0x22], 2), ([0x22, 0xC3, 0x22], 1), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
    ([0xFF], 0), ([0x22, 0x5C, 0x6E, 0xC0, 0x80, 0x22], 3), ([0x31, 0x00], 1),
  ])
  func `R8: bytes that are not UTF-8 are a parse error`(bytes: [UInt8], offset: Int) {
    let error = #expect(throws: JSONReadError.self) { try Value(json: bytes) }
    #expect(error?.detail.byteOffset == offset)
  }

  @Test func `R11: nesting up to 128 is read and written, more is a limit error`() throws {
    let deep = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    let value = try Value(json: deep)
    #expect(try value.json() == deep)
    let error = #expect(throws: JSONReadError.self) { try Value(json: "[\(deep)]") }
    #expect(error == .limit(ParseError(byteOffset: 128, reason: "nested more than 128 deep")))
    #expect(throws: JSONWriteError.tooDeep) { try Value.list([value]).json() }
    let hostile = String(repeating: "{\"a\":[", count: 1_000_000)
    #expect(throws: JSONReadError.self) { try Value(json: hostile) }
  }

  @Test func `R11: NaN and infinities cannot be written`() {
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(throws: JSONWriteError.notFinite) { try Value.double(number).json() }
      #expect(throws: JSONWriteError.notFinite) {
        try Value.list([.vector(Vector(1, number))]).json()
      }
    }
  }

  @Test(arguments: [
    (Value.double(1), "1.0"), (.double(1e16), "1e+16"), (.double(-0.0), "-0.0"), (.int(1), "1"),
    (.vector(Vector(1, 2.5)), "{\"vector\":[1.0,2.5]}"), (.bytes([0xFF]), "{\"bytes\":\"/w==\"}"),
    (.time(7), "{\"time_ns\":7}"), (.string("\"\\\n\u{1}é\u{7F}"), "\"\\\"\\\\\\n\\u0001é\u{7F}\""),
  ])
  func `R11: each type has one spelling`(value: Value, text: String) throws {
    #expect(try value.json() == text)
  }

  @Test func `R11: what is written reads back the same, type by type`() throws {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<3_000 {
      let value = random.value(depth: 4)
      let text = try value.json()
      let read = try Value(json: text)
      #expect(read == value)
      #expect(try read.json() == text)
    }
  }

  @Test func `hostile text never traps, and what is read can be written`() throws {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<20_000 {
      let bytes = random.mutated(
        #"{"a":[1,-2.5e3,"\u00e9\ud83d\ude00x"],"b":{"vector":[1,2]},"c":{"bytes":"AP8="}}"#,
        alphabet: #"[]{},:"\u0e-.1"#)
      do {
        let value = try Value(json: bytes)
        #expect(try Value(json: value.json()) == value)
      } catch let error as JSONReadError {
        #expect((0...bytes.count).contains(error.detail.byteOffset))
      }
    }
  }
}

extension SeededGenerator {
  /// A finite value of any type; its one-member dictionaries do not spell another type.
  fileprivate mutating func value(depth: Int) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 8), using: &self) {
    case 0: .none
    case 1: .bool(.random(using: &self))
    case 2: .int(Int64(bitPattern: next()))
    case 3: .double(finite())
    case 4: .vector(Vector(finite(), finite(), finite()))
    case 5: .string(text())
    case 6: .bytes((0..<Int.random(in: 0..<9, using: &self)).map { _ in UInt8(next() & 255) })
    case 7: .time(Int64(bitPattern: next()))
    case 8: .list((0..<3).map { _ in value(depth: depth - 1) })
    default: .dictionary(ValueDictionary((0..<3).map { _ in (text(), value(depth: depth - 1)) }))
    }
  }

  private mutating func finite() -> Double {
    let number = Double(bitPattern: next())
    return number.isFinite ? number : 0.1
  }
}
