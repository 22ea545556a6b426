import Gathering
import Testing

@testable import SourceKinds

/// What the README, the pages of `bindings/docs` and the change log say is true of the sources.
struct DocumentTests {
  static let folder = "bindings/docs/"

  static let pages = Checkout.files.filter {
    $0.path == "README.md" || $0.path.hasPrefix(folder) && $0.path.hasSuffix(".md")
  }

  @Test func `the page of kinds is the catalogue`() {
    let page = Checkout.text(Self.folder + "kinds.md")
    let rows = page.matches(of: #/\n\| `([a-z_]+)` \| ([^|]+) \|/#)
      .map { "\($0.1) \($0.2.trimming(while: { $0 == " " }))" }
    let kinds = SourceCatalogue.all.map { "\($0.kind) \($0.name)" }
    #expect(kinds.filter { !rows.contains($0) } == [], "the page has no row of these kinds")
    #expect(rows.filter { !kinds.contains($0) } == [], "the page has rows of no kind")
    #expect(rows.count == kinds.count)
  }

  @Test func `one version is written in every place`() throws {
    let header = Checkout.text("include/gatheredkit.h")
    let version = try #require(
      header.firstMatch(of: #/#define GKIT_VERSION_STRING "([^"]+)"/#)
    ).1
    #expect(Checkout.text("CHANGELOG.md").contains("\n## [\(version)] - \(Version.date)\n"))
    #expect(Version.text == version)
    let node = version.split(separator: ".").prefix(2).joined(separator: ".")
    let map = Checkout.text("Sources/GatheredKitLibrary/gatheredkit.map")
    #expect(map.contains("GATHEREDKIT_\(node) {"))
  }

  @Test func `the header lists the words of availability as dictionaries have them`() {
    let header = Checkout.text("include/gatheredkit.h")
    func words(_ prefix: String) -> [String] {
      header.matches(of: #/\[(\w+)\]\. \*/\n +GKIT_([A-Z]+)_\w+ = \d+/#)
        .filter { $0.2 == prefix }.map { String($0.1) }
    }
    #expect(words("AVAILABILITY") == Availability.Group.allCases.map(\.word))
    #expect(words("REASON") == Availability.State.allCases.map(\.rawValue))
  }

  @Test func `gkit_live_count names every type of object there is`() throws {
    let header = Checkout.text("include/gatheredkit.h")
    let listed = try #require(
      header.firstMatch(of: #/How many objects exist[^@]*@param type ([^(]+)\(/#)
    ).1.split { $0.isWhitespace }.map(String.init)
    let types = Checkout.text("Sources/GatheredKitC/Handle.swift")
      .matches(of: #/case \.\w+: "(\w+)"/#).map { String($0.1) }
    #expect(listed.sorted() == types.sorted())
    #expect(types.count > 10)
  }

  @Test func `pages name only targets the Makefile has`() {
    let makefile = Checkout.text("Makefile")
    let named = Set(
      Self.pages.flatMap { page in
        page.text.matches(of: #/(?:\n|`)make ([a-z0-9-]+)/#).map { String($0.1) }
      })
    #expect(named.filter { !makefile.contains("\n\($0):") } == [])
    #expect(named.contains("run"))
  }

  @Test func `the README is a first page and leads to every other`() {
    let readme = Self.pages.first { $0.path == "README.md" }
    #expect(readme.map(\.lines.count) ?? 0 <= 151)
    let links = readme?.text.matches(of: #/\]\(([^)#]+)/#).map { String($0.1) } ?? []
    // Those below a folder stand on the page of its name; these two are of the built pages.
    let others = ["index", "design"]
    let unled = Self.pages.filter { page in
      page.path.matches(of: #/\//#).count == 2 && !others.contains(page.name)
        && !links.contains(page.path)
    }
    #expect(unled.map(\.path) == [])
    let pictures = Checkout.entries(of: "bindings/docs").map { "bindings/docs/\($0)" }
    let paths = Set(Checkout.files.map(\.path) + pictures)
    #expect(links.filter { !paths.contains($0) && !$0.contains("://") } == [])
  }
}

extension Substring {
  /// Without the leading and trailing characters of which something holds.
  fileprivate func trimming(while holds: (Character) -> Bool) -> Substring {
    var rest = drop(while: holds)
    while let last = rest.last, holds(last) { rest.removeLast() }
    return rest
  }
}
