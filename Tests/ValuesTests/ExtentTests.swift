import Testing
import Values

/// How deep and how large values are.
struct ExtentTests {
  @Test func `a container is one deeper than the deepest in it, and holds all of it`() {
    #expect(Extent(of: .int(1)).depth == 0 && Extent(of: .int(1)).size == 1)
    let value = Value.list([.int(1), .dictionary(["a": .list([]), "b": .string("text")])])
    let extent = Extent(of: value)
    #expect(extent.depth == 3 && extent.size == 5)
    #expect(extent.text >= (try? value.json().utf8.count) ?? .max)
  }

  @Test func `what is shared is counted each time, up to a limit`() {
    var value = Value.list([.string("text")])
    for _ in 0..<100 { value = .list([value, value]) }
    let extent = Extent(of: value)
    #expect(extent.depth == 101)
    #expect(extent.size == Extent.sizeLimit + 1)
  }

  @Test func `a container that grows counts what is put into it`() {
    var extent = Extent.ofContainer
    extent.add(Extent(of: .string("value")))
    extent.add(name: "key")
    let whole = Extent(of: .dictionary(["key": .string("value")]))
    #expect(extent.size == whole.size && extent.memory == whole.memory)
    #expect(extent.depth == whole.depth && extent.text == whole.text)
  }
}
