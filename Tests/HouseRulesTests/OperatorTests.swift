import Streams
import Testing

/// The operators of streams exist once: C, Python and the laws have those of the table.
struct OperatorTests {
  @Test func `the header has the operators of the table, with their options`() throws {
    let rows = try Self.headerRows()
    #expect(rows.map(\.name) == OperatorName.allCases.map(\.rawValue))
    for (row, name) in zip(rows, OperatorName.allCases) {
      for option in OperatorDescription.of(name).options {
        let isNamed = row.text.contains(option.nameInC)
        #expect(isNamed, "\(row.name) of the header does not say \(option.nameInC)")
      }
    }
  }

  @Test func `Python has every operator of the table`() {
    let python = Checkout.files.filter {
      $0.path.hasPrefix("bindings/python/gatheredkit/") && $0.path.hasSuffix(".py")
    }
    let missing = OperatorName.allCases.map(\.rawValue).filter { name in
      !python.contains { $0.text.contains("\"\(name)\"") || $0.text.contains("def \(name)(") }
    }
    #expect(python.count > 10)
    #expect(missing == [])
  }

  @Test func `the laws have every operator of the table`() {
    let page = Checkout.text("Sources/GatheredKit/GatheredKit.docc/Laws/Streams.md")
    let missing = OperatorName.allCases.map(\.rawValue).filter { !page.contains("`\($0)`") }
    #expect(missing == [])
  }

  /// What the header says of each operator, in its order.
  private static func headerRows() throws -> [(name: String, text: String)] {
    let header = Checkout.text("include/gatheredkit.h")
    let start = try #require(header.firstRange(of: "Makes a stream by an operator."))
    let end = try #require(header[start.upperBound...].firstRange(of: "@param arguments"))
    let text = header[start.upperBound..<end.lowerBound]
    let names = text.matches(of: #/(?:@param op |\n {10,})"(\w+)"/#)
    return names.indices.map { index in
      let next = index + 1 < names.count ? names[index + 1].range.lowerBound : text.endIndex
      return (String(names[index].1), String(text[names[index].range.upperBound..<next]))
    }
  }
}
