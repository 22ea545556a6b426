import Testing

/// What the pages of the documentation name is there.
struct PageTests {
  private static let folder = "Sources/GatheredKit/GatheredKit.docc/"

  private static let pages = Checkout.files.filter {
    $0.path.hasPrefix(folder) && $0.path.hasSuffix(".md")
  }

  /// What pages name of others' work, and what they say is not used.
  private static let foreign: Set = [
    "GLIBC_ABI_DT_RELR", "Xllvm", "outliner", "mergeable", "Mutex", "dyn", "relr", "GET_REG",
    "Unicode", "Properties", "nonisolated",
    "nonsending", "cardN", "Utils", "Helpers", "Manager", "docc",
    // Parts of examples: a screen's mode, an application's number, a scan's type.
    "x1080", "f382640d6b9ad1925b986e4f4", "s20",
  ]

  @Test func `every name in backticks is in the sources`() {
    let rules = "Tests/HouseRulesTests/"
    let sources = Checkout.files.filter { file in
      !file.path.hasSuffix(".md") && !file.path.hasPrefix(rules)
    }
    var written = Set(
      sources.flatMap { file in
        file.text.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_") }
      })
    // Rooms are named by their folders.
    written.formUnion(sources.flatMap { $0.path.split(separator: "/") })
    // These tests quote the pages; what pages may name of them are the files.
    written.formUnion(Checkout.files.filter { $0.path.hasPrefix(rules) }.map { $0.name[...] })
    let missing = Self.pages.flatMap { page in
      page.text.matches(of: #/`([^`\n]+)`/#).flatMap { quoted in
        quoted.1.matches(of: #/[A-Za-z_][A-Za-z0-9_]{2,}/#).map(\.0)
          .filter { !written.contains($0) && !Self.foreign.contains(String($0)) }
          .map { "\(page.name): \($0) of \(quoted.1)" }
      }
    }
    #expect(missing == [])
    #expect(Self.pages.count > 20)
  }

  @Test func `every path in backticks is there`() {
    let missing = Self.pages.flatMap { page in
      page.text.matches(of: #/`((?:Sources|Tests|bindings|include|\.ci)\/[\w\/.+-]+)`/#)
        .map { String($0.1) }
        .filter { path in
          // Captured machines are no files of the checkout's texts.
          !Checkout.files.contains { $0.path == path || $0.path.hasPrefix(path + "/") }
            && Checkout.entries(of: path).isEmpty
        }
        .map { "\(page.name): \($0)" }
    }
    #expect(missing == [])
  }

  @Test func `a page that quotes another quotes one there is`() {
    let names = Set(Self.pages.map(\.name))
    let decisions = names.filter { $0.contains(#/^\d{4}-/#) }
    let numbers = Set(decisions.map { String($0.prefix(4)) })
    let missing = Self.pages.flatMap { page in
      let quoted = page.text.matches(of: #/<doc:([^>]+)>/#).map { String($0.1) }
      let cited = page.text.matches(of: #/Decisions[ \/](\d{4})\b/#).map { String($0.1) }
      let short = page.text.matches(of: #/\((\d{4})\)/#).map { String($0.1) }
      return quoted.filter { !names.contains($0) }
        + (cited + (decisions.contains(page.name) ? short : [])).filter { !numbers.contains($0) }
    }
    #expect(missing == [])
    let pathless = (Checkout.sources.map(\.file) + [TextFile("Package.swift")].compactMap(\.self))
      .flatMap { file in
        file.text.matches(of: #/Decisions\/(\d{4}-[\w-]+)\.md/#).map { String($0.1) }
      }.filter { !names.contains($0) }
    #expect(pathless == [])
  }

  @Test func `the front page leads to every other`() {
    let front = Checkout.text(Self.folder + "GatheredKit.md")
    let unled = Self.pages.map(\.name).filter {
      $0 != "GatheredKit" && !front.contains("\n- <doc:\($0)>\n")
    }
    #expect(unled == [])
  }
}
