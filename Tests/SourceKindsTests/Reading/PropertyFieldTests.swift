import Gathering
import Testing

@testable import SourceKinds

@Suite struct PropertyFieldTests {
  @Test func `the fields of a kind are the keys of its table in order`() {
    for kind in SourceCatalogue.all {
      guard let kind = kind as? any CatalogueKind else {
        Issue.record("\(kind.kind) is no CatalogueKind: nothing declares its table")
        continue
      }
      expectFields(of: kind)
    }
  }

  private func expectFields<Kind: CatalogueKind>(of kind: Kind) {
    let fields = Kind.Field.allCases
    #expect(fields.map { "\($0)" } == kind.properties.map { camelCase($0.key) }, "\(kind.kind)")
    #expect(fields.map(\.rawValue) == Array(kind.properties.indices), "\(kind.kind)")
  }

  /// `swap_total` as Swift spells it.
  private func camelCase(_ key: String) -> String {
    let words = key.split(separator: "_")
    return words.enumerated().map { index, word in
      index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
  }
}
