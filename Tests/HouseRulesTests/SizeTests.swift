import Testing

/// Rule 7: files stop at 300 lines, or say why they do not, functions at 40, lines at 100 columns.
struct SizeTests {
  /// The header is the manual; the table of ctypes and the other header are generated from it.
  static let long: Set = [
    "include/gatheredkit.h", "include/gatheredkit-ffi.h", "bindings/python/gatheredkit/_native.py",
  ]

  static let written = Checkout.files.filter { file in
    let endings = [".swift", ".c", ".h", ".py", ".cpp", ".lua", ".rb", ".rs", ".go"]
    let isScript = file.text.hasPrefix("#!/") || file.path == "Makefile"
    return endings.contains { file.path.hasSuffix($0) } || isScript
  }

  @Test func `no file is longer than 300 lines without a reason`() {
    let files = Self.written.filter { file in
      !Self.long.contains(file.path) && file.lines.count > 301 && Self.reason(of: file) == nil
    }
    #expect(files.map(\.path) == [])
  }

  @Test func `files that are longer with a reason are few, and end at 600 lines`() {
    let files = Self.written.filter { Self.reason(of: $0) != nil }
    #expect(files.filter { $0.lines.count <= 301 || $0.lines.count > 601 }.map(\.path) == [])
    #expect(files.count <= 8)
  }

  @Test func `a reason stands in the first comment`() {
    let reason = "Longer than 300 lines: a stream has many operators."
    let swift = TextFile(path: "a.swift", text: "import A\n\n/// Streams.\n///\n/// \(reason)\n")
    let python = TextFile(path: "a.py", text: "\"\"\"Streams.\n\n\(reason)\n\"\"\"\n")
    #expect(
      [swift, python].map(Self.reason) == Array(repeating: "a stream has many operators.", count: 2)
    )
    let later = TextFile(path: "a.swift", text: "// One.\nlet one = 1\n// \(reason)\n")
    let none = TextFile(path: "a.py", text: "\"\"\"Streams.\n\nLonger than 300 lines:\n\"\"\"\n")
    #expect([later, none].map(Self.reason) == [nil, nil])
  }

  @Test func `no line is wider than 100 columns`() {
    let files = Self.written.filter { !$0.path.hasSuffix("/_native.py") }
    #expect(files.flatMap { $0.places { $0.utf8.count > 100 && $0.count > 100 } } == [])
  }

  @Test func `W33 the live page has at most 160 kB`() {
    let page = Checkout.text("Sources/CPage/page.html")
    #expect((1..<160_001).contains(page.utf8.count))
  }

  @Test func `no function is longer than 40 lines`() {
    let files = Checkout.sources + Checkout.tests
    #expect(files.flatMap(Self.longFunctions) == [])
  }

  @Test func `files end with one line feed`() {
    let files = Self.written.filter { file in
      !file.text.isEmpty && (!file.text.hasSuffix("\n") || file.text.hasSuffix("\n\n"))
    }
    #expect(files.map(\.path) == [])
  }

  @Test func `no line ends with a space`() {
    #expect(Self.written.flatMap { $0.places { $0.hasSuffix(" ") || $0.hasSuffix("\t") } } == [])
  }

  /// Why a file of Swift or Python is one long thing: what its first comment says after
  /// "Longer than 300 lines:"; nil where that says nothing.
  static func reason(of file: TextFile) -> String? {
    let isPython = file.path.hasSuffix(".py")
    guard isPython || file.path.hasSuffix(".swift") else { return nil }
    let quotes = "\"\"\""
    let lines = file.lines.drop { !$0.hasPrefix(isPython ? quotes : "//") }
    let rest = lines.dropFirst().prefix { isPython ? !$0.contains(quotes) : $0.hasPrefix("//") }
    let mark = "Longer than 300 lines: "
    let words = (lines.prefix(1) + rest).map { $0.drop { $0 == "/" || $0 == " " } }
    return words.first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
  }

  /// `path:line` of functions whose braces enclose more than 40 lines.
  static func longFunctions(in file: SwiftFile) -> [String] {
    let declaration = #/^\s*(@\w+(\(.*\))? +)*([a-z]+(\(\w+\))? +)*(func\b|init[(?<])/#
    return file.code.indices.compactMap { start in
      guard (try? declaration.prefixMatch(in: file.code[start])) != nil,
        let body = body(in: file.code[start...])
      else { return nil }
      let count = body.upperBound - body.lowerBound - 1
      return count > 40 ? "\(file.path):\(start + 1): \(count) lines" : nil
    }
  }

  /// The lines from the opening to the closing brace of the declaration that begins a text; nil for
  /// a requirement, which has none.
  private static func body(in lines: ArraySlice<String>) -> Range<Int>? {
    var depth = 0
    var first: Int?
    for (number, line) in zip(lines.indices, lines) {
      if first == nil, number > lines.startIndex, isDeclaration(line) { return nil }
      for character in line {
        if character == "{" {
          depth += 1
          first = first ?? number
        } else if character == "}" {
          depth -= 1
          if depth < 0 { return nil }
          if depth == 0, let first { return first..<number }
        }
      }
    }
    return nil
  }

  private static func isDeclaration(_ line: String) -> Bool {
    line.contains(#/^\s*([a-z]+ +)*(func|init|var|let|case|struct|enum|extension)\b/#)
  }
}
