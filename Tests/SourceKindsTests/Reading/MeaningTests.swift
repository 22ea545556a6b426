import Gathering
import Testing
import Values

@testable import SourceKinds

/// What the catalogue says in words: C API R26.
struct MeaningTests {
  @Test func `C API R26: every kind says what it is about, and where its values come from`() {
    for kind in SourceCatalogue.all {
      let about = kind.meaning
      for text in [about.text, about.origin, about.instances] {
        #expect(isClause(text), "\(kind.kind): \(text)")
      }
    }
  }

  @Test func `C API R26: every property says what it means, and where it comes from`() {
    for kind in SourceCatalogue.all {
      for (index, property) in kind.properties.enumerated() {
        let meaning = kind.meaning(ofPropertyAt: index)
        for text in [meaning.text, meaning.origin] {
          #expect(isClause(text), "\(kind.kind)/\(property.key): \(text)")
        }
      }
    }
  }

  @Test func `no two properties of a kind mean the same`() {
    for kind in SourceCatalogue.all {
      let texts = kind.properties.indices.map { kind.meaning(ofPropertyAt: $0).text }
      #expect(Set(texts).count == texts.count, "\(kind.kind)")
    }
  }

  @Test func `what can be set says so`() {
    for kind in SourceCatalogue.all {
      for (index, property) in kind.properties.enumerated() {
        guard !property.flags.isDisjoint(with: [.writable, .config]) else { continue }
        let text = kind.meaning(ofPropertyAt: index).text
        #expect(text.contains(" set"), "\(kind.kind)/\(property.key): \(text)")
      }
    }
  }

  @Test func `C API R26: the catalogue in words has every kind in order`() throws {
    let rows = try SourceCatalogue.description()
    #expect(rows.map { word("kind", of: $0) } == SourceCatalogue.all.map(\.kind))
    for kind in SourceCatalogue.all {
      let row = try SourceCatalogue.description(of: kind.kind)
      #expect(row == [.dictionary(kind.dictionary)])
    }
  }

  @Test func `N4: an unknown kind is told with the nearest one`() {
    #expect(throws: SourceError.notFound("no kind \"batery\"; did you mean battery?")) {
      try SourceCatalogue.description(of: "batery")
    }
  }

  /// One clause of words without a full stop, short enough for a line.
  private func isClause(_ text: String) -> Bool {
    (2...90).contains(text.count) && !text.hasSuffix(".") && text.first?.isWhitespace == false
      && text.last?.isWhitespace == false && !text.contains("  ")
  }

  private func word(_ key: String, of row: Value) -> String? {
    if case .dictionary(let row) = row { row[key]?.text } else { nil }
  }
}
