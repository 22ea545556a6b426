import GatheredKitTesting
import Testing

@testable import Streams

/// What lists and sets of GlueKit do, behaviour by behaviour; where ours differ, the name says so.
@Suite struct GlueKitArrayTests {
  private typealias Modification = ArrayModification<Int>

  // MARK: Changes

  @Test(arguments: [([], [7]), ([2], []), ([2], [7]), ([2, 3], [7, 8, 9])])
  func `a modification knows where its elements were and are, and what leads back`(
    old: [Int], new: [Int]
  ) throws {
    let modification = Modification(at: 1, old: old, new: new)
    #expect(modification.formerRange == 1..<(1 + old.count))
    #expect(modification.range == 1..<(1 + new.count))
    let change = try ArrayChange(count: 5, [modification])
    #expect(change.reversed().modifications == [Modification(at: 1, old: new, new: old)])
    #expect(change.newCount == 5 + new.count - old.count)
    #expect(change.reversed().reversed() == change)
  }

  /// Behind a first change that puts 7, 8, 9 in the place of 4, 5, 6, 7 in the list 0...11.
  @Test(arguments: [
    // Apart, on either side.
    (0, 2, ["0:0,1>-1", "3:4,5,6,7>7,8,9"]), (8, 1, ["4:4,5,6,7>7,8,9", "8:9>-1"]),
    // Touching, on either side.
    (2, 2, ["2:2,3,4,5,6,7>-1,7,8,9"]), (7, 2, ["4:4,5,6,7,8,9>7,8,9,-1"]),
    // Over an end.
    (3, 2, ["3:3,4,5,6,7>-1,8,9"]), (6, 3, ["4:4,5,6,7,8,9>7,8,-1"]),
    // Inside, the same, and over all of it.
    (5, 1, ["4:4,5,6,7>7,-1,9"]), (4, 3, ["4:4,5,6,7>-1"]), (3, 5, ["3:3,4,5,6,7,8>-1"]),
  ])
  func `two modifications become one where they touch or overlap`(
    at: Int, count: Int, expected: [String]
  ) throws {
    var list = Array(0...11)
    let first = try ArrayChange(
      count: 12, [Modification(at: 4, old: [4, 5, 6, 7], new: [7, 8, 9])])
    try first.apply(to: &list)
    let second = try ArrayChange(
      count: 11, [Modification(at: at, old: Array(list[at..<(at + count)]), new: [-1])])
    #expect(ListWatch.text(first.merged(with: second)) == expected.joined(separator: ";"))
  }

  @Test func `what is put in and taken out again is no change`() throws {
    let insertion = try ArrayChange(count: 3, [Modification(at: 1, new: [7, 8])])
    #expect(insertion.merged(with: insertion.reversed()).isEmpty)
  }

  @Test func `all ways of three modifications merge into what leads there and back`() throws {
    try follow([0, 1], ArrayChange(count: 2), from: [0, 1], level: 1)
  }

  private func follow(
    _ list: [Int], _ change: ArrayChange<Int>, from start: [Int], level: Int
  ) throws {
    var (there, back) = (start, list)
    try change.apply(to: &there)
    try change.reversed().apply(to: &back)
    #expect(there == list && back == start && change.newCount == list.count)
    if level > 3 { return }
    for at in 0...list.count {
      for end in at...list.count {
        for new in [[], [10 * level], [10 * level, 10 * level + 1]] {
          var next = list
          next.replaceSubrange(at..<end, with: new)
          let modification = Modification(at: at, old: Array(list[at..<end]), new: new)
          let step = try ArrayChange(count: list.count, [modification])
          try follow(next, change.merged(with: step), from: start, level: level + 1)
        }
      }
    }
  }

  @Test func `equal elements are cut off at the ends, not in the middle (L84 differs)`() throws {
    func trimmed(_ old: [Int], _ new: [Int]) throws -> [Modification] {
      try ArrayChange(count: 9, [Modification(at: 1, old: old, new: new)]).removingEqualChanges()
        .modifications
    }
    #expect(try trimmed([5], [5]) == [] && trimmed([5, 6], [5, 6]) == [])
    #expect(try trimmed([5, 6], [5, 7]) == [Modification(at: 2, old: [6], new: [7])])
    #expect(try trimmed([5, 6], [6, 5]) == [Modification(at: 1, old: [5, 6], new: [6, 5])])
    // There it is two replacements, around the 6.
    let turned = Modification(at: 1, old: [5, 6, 7], new: [7, 6, 5])
    #expect(try trimmed(turned.old, turned.new) == [turned])
  }

  // MARK: Lists

  @Test(arguments: [
    ("set", "1:2>9", "replace"), ("replace", "1:2>8,9", "slice"),
    ("assign", "0:1,2,3>4,5", "slice"), ("append", "3:>9", "insert"),
    ("append several", "3:>8,9", "insert"),
    ("insert", "2:>9", "insert"), ("remove", "1:2>", "remove"), ("remove first", "0:1>", "remove"),
    ("remove last", "2:3>", "remove"), ("remove all", "0:1,2,3>", "remove"),
  ])
  func `each call is one change, and one value; several at once are no fifth kind (L81 differs)`(
    call: String, change: String, kind: String
  ) throws {
    let list = ArrayVariable([1, 2, 3])
    let watch = ListWatch(list)
    switch call {
    case "set": try list.set(9, at: 1)
    case "replace": try list.replace(1..<2, with: [8, 9])
    case "assign": list.value = [4, 5]
    case "append": try list.append(9)
    case "append several": try list.append(contentsOf: [8, 9])
    case "insert": try list.insert(9, at: 2)
    case "remove": try list.remove(at: 1)
    case "remove first": try list.remove(at: 0)
    case "remove last": try list.remove(at: 2)
    default: try list.removeAll()
    }
    #expect(watch.updates == "[ \(change) ]" && watch.changes == [change])
    #expect(watch.raw[0].modifications.map(\.kind.rawValue) == [kind])
    #expect(watch.values == [[1, 2, 3], list.value])
  }

  @Test func `a change of nothing is no transaction, and one of several places is one`() throws {
    let list = ArrayVariable([1, 2, 3])
    let watch = ListWatch(list)
    try list.apply(ArrayChange(count: 3))
    #expect(watch.updates == "")
    try list.apply(
      ArrayChange(count: 3, [Modification(at: 2, new: [4]), Modification(at: 0, old: [1])]))
    #expect(watch.updates == "[ 0:1>;1:>4 ]" && list.value == [2, 4, 3])
  }

  @Test func `steps of a transaction are told as they are made, the change and value at its end`()
    throws
  {
    let list = ArrayVariable([0, 1, 2, 3])
    let watch = ListWatch(list)
    try list.withTransaction {
      try list.remove(at: 2)
      try list.insert(10, at: 1)
    }
    #expect(watch.updates == "[ 2:2> 1:>10 ]" && watch.changes == ["1:>10;3:2>"])
    #expect(watch.values == [[0, 1, 2, 3], [0, 10, 1, 3]])
  }

  @Test func `a list is a value, and its count another`() throws {
    let list = ArrayVariable([1, 2, 3])
    let (value, count) = (Watch(list.asValue), Watch(list.count))
    try list.insert(4, at: 2)
    try list.removeAll()
    #expect(value.updates == "[ [1, 2, 3]>[1, 2, 4, 3] ] [ [1, 2, 4, 3]>[] ]")
    #expect(count.updates == "[ 3>4 ] [ 4>0 ]")
    #expect(list.presentCount == 0 && list[0] == nil)
  }

  // MARK: Derived lists

  private final class Book: Sendable, Equatable, CustomStringConvertible {
    let title: Variable<String>
    let description: String

    init(_ name: String, _ title: String) {
      (description, self.title) = (name, Variable(title))
    }

    static func == (left: Book, right: Book) -> Bool { left === right }
  }

  @Test func `a mapped list has the same places`() throws {
    let list = ArrayVariable([1, 2, 3])
    let watch = ListWatch(list.map { $0 * 10 })
    try list.append(4)
    try list.remove(at: 1)
    try list.set(5, at: 0)
    try list.replace(1..<3, with: [6])
    #expect(watch.updates == "[ 3:>40 ] [ 1:20> ] [ 0:10>50 ] [ 1:30,40>60 ]")
  }

  @Test func `what a function reads besides is not noticed, nor read anew (L92 differs)`() {
    let book = Book("a", "one")
    let titles = ArrayVariable([book]).map { $0.title.value }
    let watch = ListWatch(titles)
    book.title.set("two")
    // There it is computed anew for each look.
    #expect(watch.updates == "" && titles.value == ["one"])
    watch.bag.disconnect()
    #expect(titles.value == ["two"])
  }

  @Test func `a filtered list has what passes, at places of its own`() throws {
    let list = ArrayVariable([0, 1, 2, 3, 4])
    let even = list.filter { $0 % 2 == 0 }
    let watch = ListWatch(even)
    try list.append(contentsOf: [5, 6, 7])
    try list.replace(1..<5, with: [])
    try list.set(9, at: 1)
    #expect(watch.updates.hasPrefix("[ 3:>6 ] [ 1:2,4> ]") && watch.changes.count == 2)
    try list.set(8, at: 1)
    try list.removeAll()
    #expect(watch.changes == ["3:>6", "1:2,4>", "1:>8", "0:0,8,6>"])
  }

  @Test func `an element whose observable turns comes and goes`() throws {
    let books = [
      Book("a", "A House"), Book("b", "The Tale of a Tub"), Book("c", "Book of Salt"),
      Book("d", "Notes"),
    ]
    let list = ArrayVariable(books)
    let watch = ListWatch(list.filter { $0.title.map { title in title.utf8.contains(111) } })
    #expect(watch.values == [books])
    for (title, change) in [("Tides", "3:d>"), ("Ebb", nil), ("Ebb or Flood", "3:>d")] {
      let before = watch.changes.count
      books[3].title.set(title)
      #expect(watch.changes.dropFirst(before) == (change.map { [$0] } ?? [])[...])
    }
    try list.remove(at: 1)
    try list.append(Book("e", "Of Mice"))
    #expect(watch.changes.last == "1:b>")
    books[1].title.set("Ebb")
    #expect(watch.changes.last == "1:b>")
  }

  @Test func `in lists one after the other places are those of all`() throws {
    let (first, second) = (ArrayVariable([0, 1, 2]), ArrayVariable([10, 20]))
    let both = concatenated(first, second)
    let watch = ListWatch(both)
    try second.append(30)
    try first.append(3)
    #expect(watch.updates == "[ 5:>30 ] [ 3:>3 ]")
    #expect((0..<7).map { both[$0] } == [0, 1, 2, 3, 10, 20, 30] && both[7] == nil)
  }

  @Test func `a sum follows what comes and goes`() throws {
    let list = ArrayVariable([1, 2, 3])
    let (watch, sum) = (Watch(list.sum()), list.sum())
    try list.append(4)
    try list.insert(5, at: 1)
    try list.remove(at: 0)
    try list.removeAll()
    #expect(watch.values == [6, 10, 15, 14, 0] && sum.value == 0)
  }
}
