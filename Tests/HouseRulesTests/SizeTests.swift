import Testing

/// Rule 7: files stop at 300 lines, functions at 40, lines at 100 columns.
struct SizeTests {
  /// The header is the manual; the table of ctypes is generated from it.
  static let long: Set = ["include/gatheredkit.h", "bindings/python/gatheredkit/_native.py"]

  static let written = Checkout.files.filter { file in
    let endings = [".swift", ".c", ".h", ".py", ".cpp", ".lua", ".rb", ".rs", ".go"]
    let isScript = file.text.hasPrefix("#!/") || file.path == "Makefile"
    return endings.contains { file.path.hasSuffix($0) } || isScript
  }

  @Test func `no file is longer than 300 lines`() {
    let files = Self.written.filter { !Self.long.contains($0.path) && $0.lines.count > 301 }
    #expect(files.map(\.path) == [])
  }

  @Test func `no line is wider than 100 columns`() {
    let files = Self.written.filter { !$0.path.hasSuffix("/_native.py") }
    #expect(files.flatMap { $0.places { $0.count > 100 } } == [])
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
