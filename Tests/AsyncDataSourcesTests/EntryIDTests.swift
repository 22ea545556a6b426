import AsyncDataSources
import DataSources
import Testing

struct EntryIDTests {
  private struct Place: Encodable {
    var zeta = 1.5
    var alpha: [Int?] = [1, nil]
    var name = "a\"\\\n\u{1}é/"
    var isThere = true
    var inner = ["b": 0.1, "a": -2, "\u{E9}": 1e300]
  }

  private enum Choice: Encodable { case some(Int), other }

  @Test func `L9: a text is its own key text and an integer its digits`() throws {
    #expect(EntryID(7).key == "7")
    #expect(EntryID("7") == 7)
    #expect(try EntryID(structured: "Ä b").key == "Ä b")
    #expect(try EntryID(structured: -12).key == "-12")
    #expect(try EntryID(structured: UInt64.max).key == "18446744073709551615")
  }

  @Test func `L9: anything else is canonical JSON`() throws {
    #expect(
      try EntryID(structured: Place()).key
        == #"{"alpha":[1,null],"inner":{"a":-2,"b":0.1,"é":1e+300},"isThere":true,"#
        + #""name":"a\"\\\n\u0001é/","zeta":1.5}"#)
    #expect(try EntryID(structured: [1.0, -0.0, 0.1]).key == "[1,0,0.1]")
    #expect(try EntryID(structured: Float(0.1)).key == "0.1")
    #expect(try EntryID(structured: true).key == "true")
    #expect(try EntryID(structured: Choice.some(3)).key == #"{"some":{"_0":3}}"#)
    #expect(try EntryID(structured: ["\u{10000}": 1, "\u{FFFF}": 2]).key.utf8.first == 0x7B)
  }

  @Test func `L9: names are sorted by their bytes`() throws {
    let names = ["b", "B", "a", "aa", "\u{E9}", "e\u{301}", "\u{10000}", "\u{FFFD}", ""]
    let members = names.map { ($0, KeyTree.word("0")) }
    let key = try EntryID(.members(members)).key
    let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(key == "{" + sorted.map { "\"\($0)\":0" }.joined(separator: ",") + "}")
  }

  @Test func `L9: NaN, infinities and the empty text are illegal arguments`() {
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(throws: DataSourceError(.illegalArgument)) { try EntryID(structured: [number]) }
      #expect(throws: DataSourceError(.illegalArgument)) { try EntryID(structured: Float(number)) }
    }
    #expect(throws: DataSourceError(.illegalArgument)) { try EntryID(structured: "") }
  }

  @Test func `L8: an id that is nested very deep is refused`() {
    let deep = (0..<5000).reduce(KeyTree.word("0")) { tree, _ in .list([tree]) }
    #expect(throws: DataSourceError(.illegalArgument)) { try EntryID(deep) }
  }

  @Test func `L9: equal text is equal bytes, and bytes give the order`() {
    #expect(EntryID("\u{E9}") != EntryID("e\u{301}"))
    #expect([EntryID("b"), "a", "B", "aa"].sorted() == ["B", "a", "aa", "b"])
  }
}
