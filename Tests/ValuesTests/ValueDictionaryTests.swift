import Testing
import Values

struct ValueDictionaryTests {
  @Test func `R15: replacing a value keeps its position`() {
    var members: ValueDictionary = ["b": .int(1), "a": .int(2), "c": .int(3)]
    members["a"] = .string("new")
    #expect(members.keys == ["b", "a", "c"])
    #expect(members["a"] == .string("new"))
    #expect(members.count == 3)
  }

  @Test func `names are found whatever the size`() {
    var members = ValueDictionary()
    for number in 0..<10_000 { members["k\(number)"] = .int(Int64(number)) }
    for number in 0..<10_000 { members["k\(number)"] = .int(Int64(-number)) }
    #expect(members.count == 10_000)
    #expect(members["k9999"] == .int(-9999))
    #expect(members["k10000"] == nil)
    #expect(members[5].key == "k5")
  }

  @Test(arguments: [3, 9, 10, 40])
  func `removing closes the gap and keeps the rest findable`(size: Int) {
    var members = ValueDictionary((0..<size).map { ("k\($0)", Value.int(Int64($0))) })
    members["k1"] = nil
    members["absent"] = nil
    #expect(members.count == size - 1)
    #expect(members["k1"] == nil)
    for number in 0..<size where number != 1 {
      #expect(members["k\(number)"] == .int(Int64(number)))
    }
    members["k1"] = Value.none
    #expect(members.keys.last == "k1")
  }

  @Test(arguments: [0, 20])
  func `names differ when their bytes differ`(others: Int) {
    var members = ValueDictionary((0..<others).map { ("k\($0)", Value.none) })
    members["\u{E9}"] = .int(1)
    members["e\u{301}"] = .int(2)
    #expect(members.count == others + 2)
    #expect(members["\u{E9}"] == .int(1))
    #expect(members["e\u{301}"] == .int(2))
  }

  @Test func `L69: equality and hashing do not regard order`() {
    let left: ValueDictionary = ["a": .int(1), "b": .int(2)]
    let right: ValueDictionary = ["b": .int(2), "a": .int(1)]
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(left != ["a": .int(1), "b": .int(3)])
    #expect(left != ["a": .int(1)])
  }
}
