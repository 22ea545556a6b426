import Gathering
import Testing

@testable import SourceKinds

/// The page of the catalogue says of every kind what its sources declare.
struct CatalogueTests {
  static let path = LawPages.folder + "Catalogue.md"

  @Test func `the overview has a row for every kind`() {
    let overview = Self.lines(fromHeading: "## 2.")
    for kind in SourceCatalogue.all {
      let intervals = kind.intervals
      let event = intervals.isEventDriven ? " e" : ""
      let times = "\(Self.seconds(intervals.factoryDefault)) / \(Self.seconds(intervals.minimum))"
      let row = overview.first { $0.hasPrefix("| `\(kind.kind)` \(kind.name) |") }
      #expect(row != nil, "\(Self.path) has no row `\(kind.kind)` \(kind.name)")
      #expect(
        row?.contains("| \(times)\(event) |") != false,
        "the row of \(kind.kind) should have the intervals \(times)\(event)")
    }
  }

  @Test func `the properties of every kind are in its section in order`() {
    for kind in SourceCatalogue.all {
      guard let section = Self.section(of: kind.kind) else {
        Issue.record("\(Self.path) has no section of \(kind.kind)")
        continue
      }
      let declared = kind.properties.map(\.key)
      let tail = section.contains { $0.contains("common tail") }
      let own = tail ? Array(declared.prefix { $0 != "sampling_frequency" }) : declared
      let written = Self.keys(of: kind.kind, in: section)
      let missing = own.filter { !written.contains($0) }
      let unknown = written.filter { !own.contains($0) }
      #expect(missing == [], "the section of \(kind.kind) lacks properties")
      #expect(unknown == [], "the section of \(kind.kind) has properties that the kind has not")
      if missing + unknown == [] { #expect(written == own, "the order of \(kind.kind)") }
    }
  }

  /// The lines of the page from a heading to the next one of its rank.
  private static func lines(fromHeading start: String) -> [Substring] {
    let rank = start.prefix { $0 == "#" } + " "
    let lines = Checkout.text(path).split(separator: "\n").drop { !$0.hasPrefix(start) }
    return Array(lines.prefix(1) + lines.dropFirst().prefix { !$0.hasPrefix(rank) })
  }

  /// The lines of the section whose heading names a kind, alone or beside others.
  private static func section(of kind: String) -> [Substring]? {
    let lines = Checkout.text(path).split(separator: "\n")
    let start = lines.firstIndex { line in
      line.hasPrefix("### ") && line.split { " ·".contains($0) }.contains { $0 == kind }
    }
    return start.map { start in
      Array(lines[(start + 1)...].prefix { !$0.hasPrefix("##") })
    }
  }

  /// The keys in the first column of a section's table: `kind.key` where several kinds share one.
  private static func keys(of kind: String, in section: [Substring]) -> [String] {
    section.filter { $0.hasPrefix("| `") }.flatMap { row -> [String] in
      let cell = row.dropFirst().prefix { $0 != "|" }
      var owner = kind
      return cell.split(separator: "·").compactMap { part -> String? in
        let word = part.drop { $0 != "`" }.dropFirst().prefix { $0 != "`" }
        let names = word.split(separator: ".")
        if names.count == 2 { owner = names[0] == "*" ? kind : String(names[0]) }
        return owner == kind ? names.last.map(String.init) : nil
      }
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    let number = Double(nanoseconds) / 1e9
    return number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}
