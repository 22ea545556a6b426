import GatheredKitTesting
import Testing
import Values

struct PropertyIdentifierTests {
  @Test func `N3: a property id gives back its source, parent and ancestors`() throws {
    let id = try PropertyIdentifier(parsing: "accelerometer|bmi160/acceleration/x")
    #expect(id.source.description == "accelerometer|bmi160")
    #expect(id.key == "acceleration")
    #expect(id.components == ["acceleration", "x"])
    #expect(id.path == "acceleration/x")
    #expect(id.parent.description == "accelerometer|bmi160/acceleration")
    #expect(
      id.ancestors.map(\.description) == [
        "accelerometer|bmi160", "accelerometer|bmi160/acceleration",
      ])
  }

  @Test func `N3: the parent of a first key is the source id, a source has none`() throws {
    let id = try Identifier(parsing: "battery/level")
    let parent = try #require(id.parent)
    #expect(parent == .source(try SourceIdentifier(kind: "battery")))
    #expect(id.ancestors == [parent])
    #expect(parent.parent == nil)
    #expect(parent.ancestors.isEmpty)
    #expect(parent.source == id.source)
  }

  @Test func `N3: paths of any depth parse and round-trip`() throws {
    let text = "a|b@c/k" + (1...500).map { "/\($0)" }.joined()
    let id = try PropertyIdentifier(parsing: text)
    #expect(id.description == text)
    #expect(id.components.count == 501)
    #expect(id.ancestors.count == 501)
    #expect(id.ancestors.last == id.parent)
  }

  @Test func `N1: components are percent-encoded like instances`() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<1_000 {
      let source = try SourceIdentifier(kind: "kind", instance: random.text())
      let id = try PropertyIdentifier(
        source: source, key: "key", components: [random.text(), random.text()])
      #expect(try PropertyIdentifier(parsing: id.description) == id)
    }
  }

  @Test(arguments: [
    ("battery", 7), ("battery/", 8), ("battery/Level", 8), ("battery/level/", 14),
    ("battery//x", 8), ("battery/level/a|b", 15), ("battery/1", 8), ("battery/a%20", 9),
    ("battery/a/%2", 10),
  ])
  func `N2: a malformed path is an error with byte offset`(text: String, offset: Int) {
    let error = #expect(throws: ParseError.self) { try PropertyIdentifier(parsing: text) }
    #expect(error?.byteOffset == offset)
  }

  @Test func `an id cannot be made of a key or component that no text could name`() throws {
    let source = try SourceIdentifier(kind: "battery")
    #expect(throws: ParseError.self) { try PropertyIdentifier(source: source, key: "Level") }
    #expect(throws: ParseError.self) {
      try PropertyIdentifier(source: source, key: "level", components: [""])
    }
  }
}
