import GatheredKitTesting
import Testing
import Values

@testable import Gathering

/// Scripts as text: sources 15.
struct ScriptTests {
  private func script(_ text: String) throws(SourceError) -> Script {
    try Script(parsing: text.utf8, catalogue: SimulatedDevice.catalogue)
  }

  private func payload(_ text: String, _ key: String) throws -> Value? {
    let script = try script("0 add gauge|g1\n0 set gauge|g1/\(key) \(text)")
    guard case .set(_, let value) = try #require(script.lines.last).action else { return nil }
    return value
  }

  @Test(arguments: [
    ("level", "1", Value.double(1)), ("level", "-2.5e-3", .double(-0.0025)),
    ("count", "-7", .int(-7)), ("count", "9223372036854775807", .int(.max)),
    ("on", "true", .bool(true)), ("on", "false", .bool(false)),
    ("place", "1,-2.5,0", .vector(Vector(1, -2.5, 0))),
    ("place", "1, 2, 3", .vector(Vector(1, 2, 3))),
    ("mode", "\"fast\"", .string("fast")), ("mode", "\"unheard_of\"", .string("unheard_of")),
    ("since", "@-5", .time(-5)),
    ("since", "@1700000000000000001", .time(1_700_000_000_000_000_001)),
    ("code", "0x00Ff", .bytes([0, 255])), ("code", "0x", .bytes([])),
    ("model", #""a \"b\" \\ \n \u{e9}\u{1F600} é""#, .string("a \"b\" \\ \n é😀 é")),
    ("model", "\"\"", .string("")),
    ("model", "\"# no comment\" # comment", .string("# no comment")),
    ("model", "\"a\\\"# b\" # \"c\"", .string("a\"# b")),
  ])
  func `a payload is read as its property's type`(key: String, text: String, value: Value) throws {
    let read = try #require(try payload(text, key))
    #expect(read == value)
    #expect(read.type == value.type)
  }

  @Test(arguments: [
    ("level", "high"), ("level", "nan"), ("level", "inf"), ("level", "-infinity"),
    ("level", "1e999"), ("level", "0x10"), ("level", "true"), ("level", "1 2"), ("level", "1,2"),
    ("count", "1.5"), ("count", "1.0"), ("count", "1e3"), ("count", "9223372036854775808"),
    ("on", "1"), ("on", "True"), ("place", "1,2"), ("place", "1,2,3,4"), ("place", "1,,3"),
    ("place", "1,2,nan"), ("mode", "fast"), ("mode", "3"), ("since", "5"), ("since", "@1.5"),
    ("since", "@"), ("code", "00FF"), ("code", "0xF"), ("code", "0xGG"), ("model", "text"),
    ("model", "\"open"), ("model", "\"a\" b"), ("model", #""\x""#), ("model", #""\u{D800}""#),
    ("model", #""\u{}""#), ("model", #""\u{110000}""#), ("model", #""\u41""#), ("level", ""),
  ])
  func `a payload of another type is a parse error`(key: String, text: String) {
    #expect(throws: SourceError.self) { try payload(text, key) }
  }

  @Test(arguments: [
    "bogus add gauge|g2", "-1 add gauge|g2", "-0 add gauge|g2", "1e3 add gauge|g2",
    ". add gauge|g2", "1.2.3 add gauge|g2", "nan add gauge|g2", "99999999999 add gauge|g2",
    "0.5 add gauge|g2", "1", "1 add", "1 grow gauge|g1", "1 ADD gauge|g2", "1 add gauge",
    "1 add gauge|", "1 add gauge|a b", "1 add gauge|a%2", "1 add gauge|a@b", "1 add gague|g2",
    "1 add gauge|aggregate", "1 remove gauge|aggregate", "1 add gauge|g2/level",
    "1 remove gauge|g2", "1 set gauge|g2/level 1", "1 set gauge|g1 1", "1 set gauge|g1/leve 1",
    "1 set gauge|g1/place/x 1", "1 set lamp|aggregate/light 1", "1 set lamp/light 1",
    "1 absent gauge|g1/level", "1 absent gauge|g1/level ok", "1 absent gauge|g1/level failed",
    "1 wave gauge|g1/level", "1 wave gauge|g1/level saw 1 1", "1 wave gauge|g1/level sine 1",
    "1 wave gauge|g1/level sine nan 1", "1 wave gauge|g1/level sine 1 -1",
    "1 wave gauge|g1/level sine 1 1 1", "1 wave gauge|g1/model sine 1 1",
    "1 wave gauge|g1/on noise 1 1", "1 error gauge|g1/level", "1 error gauge|g1/level EIO",
    "1 error gauge|g1/level 0", "1 error gauge|g1/level 99999", "1 error gauge|g1 5",
    "1 fault gauge|g1/level 5", "1 fault gauge|g1", "1 fault gauge|g1 5 6", "1 clear gauge|g1 x",
    "1 clear gauge|g1/leve", "1 availability gauge|g1", "1 availability gauge|g1 fine",
    "1 permission gauge|g1", "1 permission gauge|g1 maybe", "1 permission gauge|g1 ask twice",
    "1 floor gauge|g1", "1 floor gauge|g1 -1", "1 floor gauge|g1 fast",
  ])
  func `a bad line is a parse error with its number, comments counted`(line: String) throws {
    let text = "# a device\n\n1 add gauge|g1 # here\n   \n\(line)\n2 remove gauge|g1\n"
    let error = #expect(throws: SourceError.self) { try script(text) }
    guard case .parse(let message) = error else {
      Issue.record("\(line): not a parse error")
      return
    }
    #expect(message.hasPrefix("line 5: "), "\(line): \(message)")
  }

  @Test func `what is mistyped is told with what it may have meant`() {
    let error = #expect(throws: SourceError.self) { try script("0 add gague|g1") }
    #expect(error?.message.contains("did you mean gauge?") == true)
  }

  @Test func `R8: bytes that are not UTF-8 are a parse error, in comments too`() {
    let text = Array("0 add gauge|g1\n# ".utf8) + [0xFF]
    #expect(throws: SourceError.parse("line 2: not UTF-8")) {
      try Script(parsing: text, catalogue: SimulatedDevice.catalogue)
    }
  }

  @Test func `seconds are decimal, exact to the nanosecond`() throws {
    let script = try script(
      "0 add gauge|a\n0.000000001 add gauge|b\n.5 add gauge|c\n1. add gauge|d\n"
        + "1.0000000019 add gauge|e\n9223372036.854775807 add gauge|f")
    #expect(
      script.lines.map(\.time) == [
        0, 1, 500_000_000, 1_000_000_000, 1_000_000_001, .max,
      ])
  }

  @Test func `tabs, CRLF, empty lines and a missing final newline are fine`() throws {
    let script = try script("\r\n0\tadd \t gauge|g1 \r\n\r\n1  set\tgauge|g1/model   \"a  b\"\t\r")
    #expect(script.lines.map(\.number) == [2, 4])
    #expect(script.lines.last?.action == .set(property: 7, .string("a  b")))
  }

  @Test func `detail and reason are the rest of the line`() throws {
    let script = try script(
      "0 add gauge|g1\n0 absent gauge|g1/level stale  the disk  is \"#1\" # why\n"
        + "0 availability gauge|g1 busy  held by a 5\" disk # a lone quote quotes nothing")
    #expect(
      script.lines[1].action
        == .absent(property: 0, .stale, reason: "the disk  is \"#1\""))
    guard case .availability(let availability) = script.lines[2].action else {
      Issue.record("no availability")
      return
    }
    #expect(availability.detail == "held by a 5\" disk")
    #expect(availability.state == .busy)
  }

  @Test func `N1: targets are ids, so escapes and spelling do not matter`() throws {
    let script = try script("0 add gauge|%2fdev%2Fa\n0 set gauge|%2Fdev%2fa/level 1")
    #expect(script.lines.map(\.target.instance) == ["/dev/a", "/dev/a"])
  }

  @Test func `N5: a bare kind is the aggregate, or else the first instance`() throws {
    let script = try script(
      "0 add gauge|g1\n0 add lamp|b10\n0 add lamp|b2\n0 set gauge/level 1\n0 set lamp/light 1")
    #expect(script.lines[3].target.isAggregate)
    #expect(script.lines[4].target.instance == "b2")
  }

  @Test func `a removed instance may be spoken of, for it was added once`() throws {
    #expect(try script("0 add lamp|a\n1 remove lamp|a\n2 set lamp|a/light 1").lines.count == 3)
  }

  @Test func `lines of kinds a catalogue lacks are left out where that is wanted`() throws {
    let text = "0 add radio|r1\n0 add lamp|a\n0 set radio|r1/volume 11"
    let script = try Script(
      parsing: text.utf8, catalogue: SimulatedDevice.catalogue, origin: .library)
    #expect(script.lines.map(\.number) == [2])
  }

  @Test func `E2: no damaged script traps, and what is refused names its line`() throws {
    let sound = """
      # a device
      0 add gauge|g1
      0 add lamp|%2Fdev%2Fl
      0 set gauge|g1/model "a \\"b\\" \\u{1F600} # c"
      0.25 set gauge|g1/place 1,-2e3,3
      0.5 wave gauge|g1/place ramp 1.5 0.25
      1 set gauge|g1/code 0x00ff # d
      1 set gauge|g1/since @1700000000000000000
      1 absent gauge|g1/level stale gone
      2 error gauge|g1/count 5
      2 availability gauge|aggregate busy here
      3 clear gauge|g1/count
      3 permission gauge|g1 ask
      3 floor gauge|g1 0.25
      4 fault gauge|g1 5
      5 remove gauge|g1
      """
    #expect(try script(sound).lines.count == 15)
    var random = SeededGenerator(seed: 15)
    var refused = 0
    for _ in 0..<4_000 {
      let damaged = random.mutated(sound, alphabet: " \t\n\"\\#|/@%,.-0x{}")
      do throws(SourceError) {
        _ = try Script(parsing: damaged, catalogue: SimulatedDevice.catalogue)
      } catch {
        refused += 1
        guard case .parse(let message) = error, message.hasPrefix("line ") else {
          Issue.record("\(error)")
          continue
        }
        let lines = damaged.count { $0 == 10 } + 1
        let number = Int(message.dropFirst(5).prefix { $0 != ":" })
        #expect(number.map { (1...lines).contains($0) } == true, "\(message)")
      }
    }
    #expect(refused > 1_000)
  }
}
