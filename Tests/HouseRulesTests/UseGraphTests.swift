import Testing

/// What uses what inside a target: folders stand in no circle, and files only in small ones.
struct UseGraphTests {
  private static let graph = UseGraph(Checkout.sources)

  /// How many files may use each other all round: more are not understood one after the other.
  private static let largest = 8

  @Test func `no folders of a target use each other, directly or around`() {
    for (target, count) in Self.graph.counts.sorted(by: { $0.key < $1.key }) {
      print("\(target): \(count.inside) of \(count.all) uses stay inside a folder")
    }
    #expect(Self.graph.counts.count > 5)
    #expect(Self.graph.folderCircles.map(Self.graph.ties) == [])
  }

  @Test func `files that use each other are few, and lie in one folder`() {
    let circles = Self.graph.fileCircles
    for circle in circles { print(Self.line(circle)) }
    let bad = circles.filter { $0.count > Self.largest || Set($0.map(Self.folder)).count > 1 }
    #expect(bad.map(Self.line) == [])
    #expect(circles.count > 10)
  }

  @Test func `circles of folders and of files are found`() {
    let graph = UseGraph(
      [
        ("Sources/One/A/Left.swift", "struct Left { var right: Right }"),
        ("Sources/One/B/Right.swift", "enum Right {}\nextension Ahead {}"),
        ("Sources/One/C/Ahead.swift", "struct Ahead { let back: Back, left: Left? }"),
        ("Sources/One/C/Back.swift", "// Right\nstruct Back { let ahead: Ahead? }"),
        ("Sources/One/D/Above.swift", "struct Above {\n  enum Back {}\n  let a: Back, b: Left\n}"),
        ("Sources/One/D/Hidden.swift", "private struct Left {}\nstruct Hidden { let a: Above }"),
        ("Sources/Two/A/Other.swift", "struct Other { let above: Above }"),
      ].map { SwiftFile(TextFile(path: $0.0, text: $0.1)) })
    #expect(graph.folderCircles == [["Sources/One/A", "Sources/One/B", "Sources/One/C"]])
    #expect(
      graph.ties(in: graph.folderCircles[0]) == [
        "Sources/One/A -> Sources/One/B: Left: Right",
        "Sources/One/B -> Sources/One/C: Right: Ahead",
        "Sources/One/C -> Sources/One/A: Ahead: Left",
      ])
    let files = ["A/Left", "B/Right", "C/Ahead", "C/Back"].map { "Sources/One/\($0).swift" }
    #expect(graph.fileCircles == [files])
    #expect(graph.counts["One"]?.all == 8 && graph.counts["Two"] == nil)
  }

  private static func line(_ circle: [String]) -> String {
    let names = circle.map { $0.split(separator: "/").last ?? "" }
    let folders = Set(circle.map(folder)).sorted().joined(separator: ", ")
    return "\(circle.count) in \(folders): \(names.joined(separator: ", "))"
  }

  private static func folder(_ path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }
}
