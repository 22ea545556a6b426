import Streams
import Testing
import Values

@testable import Gathering

/// Lists and sets as C and Python use them.
@Suite struct CollectionTests {
  let probe: DynamicProbe

  init() throws { probe = try DynamicProbe() }

  private func modify(_ stream: DynamicStream, _ json: String) throws {
    guard case .dictionary(let members) = try Value(json: json) else { return }
    try stream.modify(members)
  }

  @Test func `L87 L88 a list is an observable that tells its modifications`() throws {
    let list = try probe.make("list", ["value": .list([.int(1), .int(2)])])
    let values = try probe.listen(to: list)
    #expect(probe.take() == ["~[1,2]"])
    let changes = try probe.listen(to: try list.apply("changes"))
    try modify(list, #"{"at": 1, "remove": 1, "insert": [5, 6]}"#)
    #expect(
      Set(probe.take()) == [
        "[1,5,6]",
        #"{"count":2,"modifications":[{"kind":"slice","at":1,"old":[2],"new":[5,6]}]}"#,
      ])
    try list.send(.list([]))
    #expect(try list.value()?.value == .list([]))
    #expect(errorWord { try list.send(.int(1)) } == "type")
    values.end()
    changes.end()
  }

  @Test func `L89 updates tell each modification between begin and end`() throws {
    let list = try probe.make("list")
    let connection = try probe.listen(to: try list.apply("updates"))
    try list.begin()
    try modify(list, #"{"insert": ["a"]}"#)
    try modify(list, #"{"remove": 1}"#)
    try list.end()
    #expect(
      probe.take() == [
        #"{"kind":"begin"}"#,
        #"{"kind":"change","change":{"count":0,"modifications":"#
          + #"[{"kind":"insert","at":0,"old":[],"new":["a"]}]}}"#,
        #"{"kind":"change","change":{"count":1,"modifications":"#
          + #"[{"kind":"remove","at":0,"old":["a"],"new":[]}]}}"#,
        #"{"kind":"end"}"#,
      ])
    connection.end()
  }

  @Test func `L91 a copy follows by changes, and what does not fit is refused`() throws {
    let (list, copy) = (try probe.make("list"), try probe.make("list"))
    let connection = try list.apply("changes").subscribe(
      DynamicStream.Subscriber { sample in
        if case .dictionary(let change) = sample.value { try? copy.modify(change) }
      })
    try modify(list, #"{"insert": [1, 2, 3]}"#)
    try modify(list, #"{"at": 1, "remove": 2, "insert": [7]}"#)
    #expect(try copy.value()?.value == .list([.int(1), .int(7)]))
    let misfit = #"{"count": 2, "modifications": [{"at": 0, "old": [9], "new": []}]}"#
    #expect(errorWord { try modify(copy, misfit) } == "invalidArgument")
    connection.end()
  }

  @Test(arguments: [
    (#"{"at": 3}"#, "invalidArgument"), (#"{"at": -1, "insert": [1]}"#, "invalidArgument"),
    (#"{"remove": 9223372036854775807}"#, "invalidArgument"),
    (#"{"at": 9223372036854775807, "remove": 1}"#, "invalidArgument"),
    (#"{"insert": 1}"#, "type"), (#"{"nonsense": 1}"#, "invalidArgument"),
    (#"{"count": 2, "modifications": [1]}"#, "type"),
    (#"{"count": 2, "modifications": [{"old": []}]}"#, "invalidArgument"),
    (#"{"count": 9, "modifications": []}"#, "invalidArgument"),
  ])
  func `L84 L90 bad modifications change nothing`(json: String, word: String) throws {
    let list = try probe.make("list", ["value": .list([.int(1), .int(2)])])
    let connection = try probe.listen(to: list)
    #expect(errorWord { try modify(list, json) } == word)
    #expect(probe.take() == ["~[1,2]"])
    connection.end()
  }

  @Test func `L85 L86 L88 sets keep the order of insertion, and tell differences`() throws {
    let set = try probe.make("set", ["value": .list([.int(1), .double(1), .int(1)])])
    #expect(try set.value()?.value == .list([.int(1), .double(1)]))
    let connection = try probe.listen(to: try set.apply("changes"))
    try modify(set, #"{"insert": [2, 1], "remove": [1.0]}"#)
    try set.send(.list([.int(2), .int(3)]))
    try modify(set, #"{"removed": [3], "inserted": [4]}"#)
    #expect(errorWord { try modify(set, #"{"removed": [3]}"#) } == "invalidArgument")
    #expect(
      probe.take() == [
        #"{"removed":[1.0],"inserted":[2]}"#, #"{"removed":[1],"inserted":[3]}"#,
        #"{"removed":[3],"inserted":[4]}"#,
      ])
    #expect(try set.value()?.value == .list([.int(2), .int(4)]))
    connection.end()
  }

  @Test func `L95 L96 L97 L98 what is made of lists and sets follows them`() throws {
    let list = try probe.make("list", ["value": .list([.int(3), .string("b"), .int(1)])])
    let other = try probe.make("list", ["value": .list([.double(0.5)])])
    let both = try DynamicStream.combine([list, other], "concat")
    let sorted = try both.apply("sorted", ["descending": .bool(true)])
    let sum = try both.apply("sum")
    let has = try both.apply("contains", ["value": .string("b")])
    #expect(
      try sorted.value()?.value == .list([.int(3), .int(1), .double(0.5), .string("b")]))
    #expect(try sum.value()?.value == .double(4.5))
    let connection = try probe.listen(to: has)
    try modify(list, #"{"at": 1, "remove": 1}"#)
    try other.send(.list([]))
    #expect(probe.take() == ["~true", "false"])
    #expect(try sum.value()?.value == .int(4))
    #expect(try both.apply("count").value()?.value == .int(2))
    #expect(errorWord { try both.modify([:]) } == "notSupported")
    let set = try probe.make("set", ["value": .list([.int(1)])])
    let union = try DynamicStream.combine([set, set], "union")
    #expect(try union.value()?.value == .list([.int(1)]))
    #expect(errorWord { _ = try DynamicStream.combine([set, list], "union") } == "notSupported")
    #expect(errorWord { _ = try set.apply("sum") } == "notSupported")
    connection.end()
  }

  @Test func `L95 elements are sorted by a member, those without it last`() throws {
    let rows = try Value(json: #"[{"n": 2}, {"m": 1}, 7, {"n": 1}]"#)
    let list = try probe.make("list", ["value": rows])
    let sorted = try list.apply("sorted", ["by": .string("n")])
    #expect(try sorted.value()?.value.json() == #"[{"n":1},{"n":2},{"m":1},7]"#)
  }

  @Test func `L83 changes turned round lead back`() throws {
    let list = try probe.make("list", ["value": .list([.int(1), .int(2)])])
    let reversed = try list.apply("changes").apply("reversed")
    let connection = try probe.listen(to: reversed)
    try modify(list, #"{"remove": 1, "insert": [8, 9]}"#)
    #expect(
      probe.take() == [
        #"{"count":3,"modifications":[{"kind":"slice","at":0,"old":[8,9],"new":[1]}]}"#
      ])
    connection.end()
  }

  @Test func `L99 elements are those that are put in from now on`() throws {
    let list = try probe.make("list", ["value": .list([.int(1)])])
    let connection = try probe.listen(to: try list.apply("elements"))
    try modify(list, #"{"insert": [2, 3]}"#)
    #expect(probe.take() == ["2", "3"])
    connection.end()
  }
}
