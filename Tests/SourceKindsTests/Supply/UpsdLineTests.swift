import Testing

@testable import SourceKinds

/// The lines of upsd's protocol, and answers made of them.
@Suite struct UpsdLineTests {
  private func words(_ line: String) -> [String]? {
    UpsdLine(Array(line.utf8))?.words.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("UPS rack \"The rack's UPS\"", ["UPS", "rack", "The rack's UPS"]),
    ("  VAR  rack ups.id   \"\" ", ["VAR", "rack", "ups.id", ""]),
    (#"VAR a b "say \"hi\" \\ bye""#, ["VAR", "a", "b", #"say "hi" \ bye"#]),
    (#"one\ word"#, ["one word"]), (#"a"b c"d"#, ["ab cd"]), ("", []), ("   ", []),
    ("VAR a b \"Büro\"", ["VAR", "a", "b", "Büro"]),
  ])
  func `quotation marks and backslashes are undone`(line: String, expected: [String]) {
    #expect(words(line) == expected)
  }

  @Test(arguments: ["VAR a b \"open", "VAR a b c\\", "VAR a b \"x\u{0}y\"", "\u{0}", "\""])
  func `a quotation without end and a NUL are no line`(line: String) {
    #expect(words(line) == nil)
  }

  private func take(_ lines: [String], to question: UpsdAnswer.Question) -> (
    UpsdAnswer, UpsdAnswer.Step
  ) {
    var answer = UpsdAnswer(to: question)
    var step = UpsdAnswer.Step.goesOn
    for line in lines where step == .goesOn { step = answer.take(Array(line.utf8)) }
    return (answer, step)
  }

  @Test func `a list is taken as long as it is one`() {
    let (answer, step) = take(
      [
        "BEGIN LIST VAR rack", "VAR rack ups.load \"12\"", "VAR other ups.load \"13\"",
        "UPS rack \"x\"", "VAR rack", "VAR rack a b c", "\"", "", "VAR rack \"two words\" 1",
        "VAR rack ups.status \"OL\"", "END LIST VAR other", "END LIST VAR rack",
      ], to: .variables(of: "rack"))
    #expect(step == .ends)
    #expect(answer.rows.map(\.name) == ["ups.load", "ups.status"])
    #expect(answer.rows.map { String(decoding: $0.value, as: UTF8.self) } == ["12", "OL"])
    #expect(answer.text == "LIST VAR rack\n")
    #expect(UpsdAnswer(to: .devices).text == "LIST UPS\n")
  }

  @Test(arguments: [
    ("ERR DATA-STALE", UpsdAnswer.Step.fails("DATA-STALE")), ("ERR", .isForeign),
    ("HTTP/1.1 400 Bad Request", .isForeign), ("END LIST UPS", .isForeign), ("\"", .isForeign),
    ("BEGIN LIST UPS", .goesOn), ("BEGIN LIST UPS more", .isForeign),
  ])
  func `an answer begins as upsd begins one`(line: String, step: UpsdAnswer.Step) {
    #expect(take([line], to: .devices).1 == step)
  }

  @Test func `an error may come in the middle of a list`() {
    let (_, step) = take(["BEGIN LIST UPS", "ERR ACCESS-DENIED extra"], to: .devices)
    #expect(step == .fails("ACCESS-DENIED"))
  }

  @Test func `a list has 1000 rows at most, and no name that cannot be sent back`() {
    let rows = (0..<1200).map { "UPS u\($0) \"\"" }
    let odd = [#"UPS "a b" """#, "UPS a\tb \"\"", "UPS \(String(repeating: "n", count: 256)) \"\""]
    let (answer, step) = take(["BEGIN LIST UPS"] + odd + rows + ["END LIST UPS"], to: .devices)
    #expect(step == .ends)
    #expect(answer.rows.count == 1000)
    #expect(answer.rows.first?.name == "u0")
  }
}
