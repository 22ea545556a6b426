import Testing

/// The guide to adding a kind shows the kind as it stands in the tree.
struct GuideTests {
  private static let page = Checkout.text("Sources/GatheredKit/GatheredKit.docc/AddingAKind.md")

  /// The blocks of Swift on the page: the file that the first line of each names, and the rest.
  private static let blocks: [(path: String, text: String)] =
    page.matches(of: #/\n```swift\n\/\/ (\S+)\n((?:.*\n)*?)```\n/#)
    .map { (String($0.1), String($0.2)) }

  @Test func `the pieces of the kind are its whole file`() {
    let kind = "Sources/SourceKinds/Heat/Fan.swift"
    let lines = { (text: String) in text.split(separator: "\n") }
    let pieces = Self.blocks.filter { $0.path == kind }
    #expect(pieces.count > 5)
    #expect(pieces.flatMap { lines($0.text) } == lines(Checkout.text(kind)))
  }

  @Test func `every other block is in the file it names`() {
    for block in Self.blocks {
      #expect(Checkout.text(block.path).contains(block.text), "\(block.path)")
    }
    #expect(Set(Self.blocks.map(\.path)).count == 3)
  }

  @Test func `every block of Swift names its file`() {
    #expect(Self.page.matches(of: #/```swift/#).count == Self.blocks.count)
  }
}
