import GatheredKitTesting
import Streams
import Testing

/// Writes down what the views of a list say.
final class ListWatch<Element: Sendable & Equatable>: Sendable {
  let bag = Connector()
  private let steps = CollectingSink<TransactionEvent<ArrayChange<Element>>>()
  private let merged = CollectingSink<ArrayChange<Element>>()
  private let collected = CollectingSink<[Element]>()

  init(_ list: any ObservableArray<Element>) {
    list.updates.collect(into: steps).put(into: bag)
    list.changes.collect(into: merged).put(into: bag)
    collect(list)
  }

  private func collect(_ list: some ObservableArray<Element>) {
    list.collect(into: collected).put(into: bag)
  }

  /// `[` begin, `0:a>b` a modification, `]` end.
  var updates: String {
    steps.values.map { event in
      switch event {
      case .begin: "["
      case .change(let change): Self.text(change)
      case .end: "]"
      }
    }.joined(separator: " ")
  }

  var changes: [String] { merged.values.map(Self.text) }
  var values: [[Element]] { collected.values }
  var raw: [ArrayChange<Element>] { merged.values }

  /// A change in this notation.
  static func text(_ change: ArrayChange<Element>) -> String {
    change.modifications.map { modification in
      let (old, new) = (modification.old.map { "\($0)" }, modification.new.map { "\($0)" })
      return "\(modification.at):\(old.joined(separator: ","))>\(new.joined(separator: ","))"
    }.joined(separator: ";")
  }
}

@Suite struct ArrayVariableTests {
  let list = ArrayVariable([1, 2, 3])

  @Test func `L87 L88 one call is one transaction with one modification`() throws {
    let watch = ListWatch(list)
    try list.append(4)
    try list.insert(0, at: 0)
    try list.remove(at: 1)
    try list.set(9, at: 0)
    try list.replace(1..<3, with: [])
    try list.set([9])
    try list.removeAll()
    #expect(
      watch.updates
        == "[ 3:>4 ] [ 0:>0 ] [ 1:1> ] [ 0:0>9 ] [ 1:2,3> ] [ 0:9,4>9 ] [ 0:9> ]")
    #expect(watch.values.first == [1, 2, 3] && watch.values.last == [])
    #expect(watch.values.count == 8 && watch.changes.count == 7)
    #expect(list.value.isEmpty)
  }

  @Test func `L88 a call that touches nothing opens no transaction`() throws {
    let watch = ListWatch(list)
    try list.append(contentsOf: [])
    try list.replace(1..<1, with: [])
    #expect(watch.updates == "")
  }

  @Test func `L89 a transaction shows each, and merges them`() throws {
    let watch = ListWatch(list)
    try list.withTransaction {
      try list.append(4)
      try list.remove(at: 0)
      #expect(list.value == [2, 3, 4])
    }
    try list.withTransaction {
      try list.append(5)
      try list.remove(at: 3)
    }
    #expect(watch.updates == "[ 3:>4 0:1> ] [ 3:>5 3:5> ]")
    #expect(watch.changes == ["0:1>;2:>4"])
    #expect(watch.values == [[1, 2, 3], [2, 3, 4], [2, 3, 4]])
  }

  @Test func `L90 bounds are kept, and nothing is changed`() throws {
    let watch = ListWatch(list)
    #expect(throws: StreamError.indexOutOfRange(4)) { try list.insert(0, at: 4) }
    #expect(throws: StreamError.indexOutOfRange(-1)) { try list.insert(0, at: -1) }
    #expect(throws: StreamError.indexOutOfRange(4)) { try list.remove(at: 3) }
    #expect(throws: StreamError.indexOutOfRange(-2)) { try list.set(0, at: -2) }
    #expect(throws: StreamError.indexOutOfRange(7)) { try list.replace(2..<7, with: []) }
    let many = Array(repeating: 0, count: ArrayVariable<Int>.limit)
    #expect(throws: StreamError.limit) { try list.append(contentsOf: many) }
    #expect(watch.updates == "" && list.value == [1, 2, 3])
    try list.set(many)
    #expect(throws: StreamError.limit) { try list.append(1) }
  }

  @Test func `L91 a copy follows by applying changes`() throws {
    let copy = ArrayVariable([1, 2, 3])
    let watch = ListWatch(copy)
    let connection = list.changes.subscribe { change in try? copy.apply(change) }
    try list.withTransaction {
      try list.append(4)
      try list.remove(at: 0)
    }
    #expect(copy.value == [2, 3, 4] && watch.updates == "[ 0:1>;2:>4 ]")
    try copy.append(9)
    let foreign = try ArrayChange(count: 3, [ArrayModification(at: 0, old: [2])])
    #expect(throws: StreamError.changeMismatch(nil)) { try copy.apply(foreign) }
    #expect(copy.value == [2, 3, 4, 9])
    connection.disconnect()
  }

  @Test func `threads that change a list at once lose nothing`() async throws {
    let list = ArrayVariable<Int>()
    let watch = ListWatch(list)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask { for number in 0..<500 { try? list.append(thread * 1000 + number) } }
      }
    }
    #expect(list.value.count == 2000 && Set(list.value).count == 2000)
    var copy: [Int] = []
    for change in watch.raw { try change.apply(to: &copy) }
    #expect(copy == list.value)
  }
}
