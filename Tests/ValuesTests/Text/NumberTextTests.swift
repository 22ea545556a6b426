import GatheredKitTesting
import Testing
import Values

struct NumberTextTests {
  private func signed(_ text: String) throws(NumberText.Failure) -> Int64 {
    let bytes = Array(text.utf8)
    return try NumberText.signed(bytes.span)
  }

  private func unsigned(_ text: String) throws(NumberText.Failure) -> UInt64 {
    let bytes = Array(text.utf8)
    return try NumberText.unsigned(bytes.span)
  }

  private func double(_ text: String) throws(NumberText.Failure) -> Double {
    let bytes = Array(text.utf8)
    return try NumberText.double(bytes.span)
  }

  @Test func `V7: integers are read in full 64 bits after trimming`() throws {
    #expect(try signed(" 42\n") == 42)
    #expect(try signed("9223372036854775807\n") == .max)
    #expect(try signed("-9223372036854775808") == .min)
    #expect(try signed("\t+7 \r\n") == 7)
    #expect(try signed("-0") == 0)
    #expect(try signed("007") == 7)
    #expect(try unsigned("18446744073709551615") == .max)
    #expect(try unsigned("-0") == 0)
  }

  @Test(arguments: [
    "0x10", "1e3", "1.0", "1\0", "\0", "-", "+", "--1", "1 2", "abc", "1,000", "٣", "1-", "1_000",
  ])
  func `V7: hexadecimal, exponent, NUL and anything else in an integer is malformed`(text: String) {
    #expect(throws: NumberText.Failure.malformed) { try signed(text) }
    #expect(throws: NumberText.Failure.malformed) { try unsigned(text) }
  }

  @Test func `V7: an integer beyond 64 bits is out of range`() {
    for text in ["9223372036854775808", "-9223372036854775809", "99999999999999999999999"] {
      #expect(throws: NumberText.Failure.outOfRange) { try signed(text) }
    }
    for text in ["18446744073709551616", "-1", "184467440737095516150"] {
      #expect(throws: NumberText.Failure.outOfRange) { try unsigned(text) }
    }
    #expect(throws: NumberText.Failure.malformed) { try signed("99999999999999999999999x") }
  }

  @Test(arguments: ["", " ", "\n", " \t\r\n "])
  func `V7: nothing after trimming is told apart from malformed`(text: String) {
    #expect(throws: NumberText.Failure.empty) { try signed(text) }
    #expect(throws: NumberText.Failure.empty) { try unsigned(text) }
    #expect(throws: NumberText.Failure.empty) { try double(text) }
  }

  @Test(arguments: [
    ("0.5\n", 0.5), ("-9.806650", -9.80665), ("1e3", 1000), ("1E-3", 0.001), (".5", 0.5),
    ("5.", 5), ("+2.5", 2.5), ("0.000598205", 0.000598205),
    ("123456789012345678", 123456789012345680),
    ("1.7976931348623157e308", .greatestFiniteMagnitude), ("5e-324", .leastNonzeroMagnitude),
    ("1e-400", 0),
    ("0.1000000000000000055511151231257827", 0.1), ("9007199254740993", 9007199254740992),
    ("000000000000000000000000001.5", 1.5), ("0e99999999999", 0),
  ])
  func `V7: doubles are read exactly, whatever the locale`(text: String, number: Double) throws {
    #expect(try double(text) == number)
  }

  @Test func `every double reads back from its shortest text`() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.next())
      if !number.isFinite { continue }
      #expect(try double(number.description) == number)
      let small = Double(Int.random(in: -10_000_000...10_000_000, using: &random)) / 1000
      #expect(try double("\(small)") == small)
    }
  }

  @Test(arguments: [
    "nan", "inf", "-infinity", "0x1p3", "1,5", "1e", "1e+", "e5", ".", "-", "1.2.3", "1 2", "1\0",
    "1f", "--1", "1e5.0",
  ])
  func `V7: what is not a decimal number is malformed`(text: String) {
    #expect(throws: NumberText.Failure.malformed) { try double(text) }
  }

  @Test(arguments: ["1e309", "-1e400", "1e99999999999999999999"])
  func `V6: a double is finite or out of range`(text: String) {
    #expect(throws: NumberText.Failure.outOfRange) { try double(text) }
  }

  @Test func `trimming leaves the text between the white space`() {
    let bytes = Array(" \ta b\n\n".utf8)
    #expect(NumberText.trimmed(bytes.span) == 2..<5)
    let blank = Array(" \n".utf8)
    #expect(NumberText.trimmed(blank.span).isEmpty)
  }

  @Test func `hostile text never traps`() {
    var random = SeededGenerator(seed: 6)
    var read = 0
    for _ in 0..<20_000 {
      let bytes = random.mutated("-1234567.890e-12\n", alphabet: "0123456789+-.eE x\n")
      if (try? NumberText.double(bytes.span)) != nil { read += 1 }
      if (try? NumberText.signed(bytes.span)) != nil { read += 1 }
      if (try? NumberText.unsigned(bytes.span)) != nil { read += 1 }
    }
    #expect(read > 0)
  }
}
