import Testing

/// Rule 10: a law is a numbered sentence on a page of Laws/, and every law cited is there.
struct LawTests {
  /// The last of the bytes with which a block of a recording begins (Decisions 0012).
  private static let markByte = "A7"

  /// Targets whose bare labels mean one page.
  private static let homes = [
    "Streams": "streams", "AsyncStreams": "streams", "Patches": "patches",
    "DataSources": "data sources", "AsyncDataSources": "data sources",
  ]

  @Test func `every page has laws or sections`() {
    #expect(LawPages.labels.count == 9)
    for (page, labels) in LawPages.labels { #expect(labels.count > 25, "\(page)") }
  }

  @Test func `every law cited is on the page it is cited from`() {
    var count = 0
    let missing = Checkout.files.flatMap { file in
      let cited = LawCitation.all(in: Self.remarks(in: file))
      count += cited.count
      return cited.filter { $0.label != Self.markByte && !Self.isThere($0, in: file) }
        .map { "\(file.path): \($0.page ?? "") \($0.label)" }
    }
    #expect(missing == [])
    #expect(count > 1000)
  }

  @Test func `no number of a law is given twice on a page`() {
    let twice = Checkout.files.filter { $0.path.hasPrefix(LawPages.folder) }.flatMap { page in
      let labels = page.text.matches(of: #/\n(?:- \*\*|\| |\*\*)([A-Z]\d+)\b/#).map(\.1)
      return Dictionary(grouping: labels) { $0 }.filter { $1.count > 1 }
        .map { "\(page.name): \($0.key)" }
    }
    #expect(twice == [])
  }

  @Test(arguments: [
    ("(sources L3, T4)", ["sources L3", " T4"]), ("C API rule 27: locks", ["c api 27"]),
    ("as data sources L60.", ["data sources L60"]), ("(Catalogue 4.13)", ["catalogue 4.13"]),
    ("of the sources. 3 of them", []), ("`L1 one order`", [" L1"]), ("H264, X20, 7", []),
  ])
  func `citations are found`(text: String, found: [String]) {
    #expect(LawCitation.all(in: text.utf8).map { "\($0.page ?? "") \($0.label)" } == found)
  }

  private static func isThere(_ citation: LawCitation, in file: TextFile) -> Bool {
    if let page = citation.page ?? home(of: file, for: citation.label) {
      return LawPages.labels[page]?.contains(citation.label) == true
    }
    return LawPages.labels.values.contains { $0.contains(citation.label) }
  }

  /// The page that a bare label means in a file; nil if it may be on any.
  private static func home(of file: TextFile, for label: String) -> String? {
    if file.path.hasPrefix(LawPages.folder) {
      // Bare labels of the catalogue are laws of sources, but for the few of its own.
      let isSources =
        file.name == "Catalogue" && LawPages.labels["catalogue"]?.contains(label) != true
      return isSources ? "sources" : LawPages.word(of: file.name)
    }
    guard label.hasPrefix("L") else { return nil }
    let target = file.path.split(separator: "/").dropFirst().first ?? ""
    return homes[String(target.replacing(#/Tests$/#, with: ""))]
  }

  /// What a file says in comments, in names of tests, and, if it is a page, anywhere.
  private static func remarks(in file: TextFile) -> [UInt8] {
    if file.path.hasSuffix(".md") { return Array(file.text.utf8) }
    guard [".swift", ".c", ".h", ".py"].contains(where: file.path.hasSuffix) else { return [] }
    return Array(file.lines.map { Self.remark(of: $0.utf8) }.joined(separator: [0x0A]))
  }

  /// What a line says; code is a stroke.
  private static func remark(of line: Substring.UTF8View) -> [UInt8] {
    let text = line.drop { $0 == UInt8(ascii: " ") }
    guard let first = text.first, first < 0x41, marks.contains(where: text.starts) else {
      return [UInt8(ascii: "|")]
    }
    return Array(text.drop { "/*#".utf8.contains($0) })
  }

  /// What comments and tests begin with.
  private static let marks = ["//", "/*", "*", "# ", "\"\"\"", "@Test"].map(\.utf8)
}
