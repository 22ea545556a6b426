import Testing

/// The rules trust this reading of Swift.
struct CodeTextTests {
  @Test(arguments: [
    ("let a = 1 // try! b", "let a = 1 "),
    ("a /* x /* y */ z */ b", "a  b"),
    (#"say("fatalError \" // x") + 1"#, #"say("") + 1"#),
    (##"let raw = #"a "quote" \(x)"#; b"##, #"let raw = ""; b"#),
    (#"print("\(a ?? "try!") x", c)"#, #"print("" a ?? "" , c)"#),
    ("\"\"", "\"\""),
    ("func `a class without final`() {}", "func () {}"),
  ])
  func `comments, strings and quoted names are not code`(text: String, code: String) {
    #expect(CodeText.lines(of: text) == [code])
  }

  @Test func `lines stay where they were`() {
    let text = "a\n/* b\n c */ d\nlet e = \"\"\"\n  f \\(g)\n  \"\"\"\nh"
    #expect(CodeText.lines(of: text) == ["a", "", " d", "let e = \"\"", " g ", "", "h"])
  }
}
