import Dispatch
import GatheredKitTesting
import Streams
import Testing

/// Elements that come and go with a condition of their own.
@Suite struct ArrayConditionalFilterTests {
  /// An element with a switch.
  private final class Lamp: Sendable, Equatable, CustomStringConvertible {
    let name: Int
    let isOn: Variable<Bool>

    init(_ name: Int, isOn: Bool) {
      (self.name, self.isOn) = (name, Variable(isOn))
    }

    var description: String { "\(name)" }

    static func == (left: Lamp, right: Lamp) -> Bool { left === right }
  }

  private let lamps = [1, 2, 3, 4].map { Lamp($0, isOn: $0 % 2 == 0) }

  @Test func `L94 what is toggled comes or goes, and nothing else`() throws {
    let list = ArrayVariable(lamps)
    let watch = ListWatch(list.filter { $0.isOn })
    lamps[0].isOn.set(true)
    lamps[1].isOn.set(false)
    lamps[2].isOn.set(false)
    lamps[3].isOn.set(true)
    #expect(watch.changes == ["0:>1", "1:2>"])
    #expect(watch.values.map { $0.map(\.name) } == [[2, 4], [1, 2, 4], [1, 4]])
  }

  @Test func `L94 an element that goes is heard no more, and one that comes is`() throws {
    let list = ArrayVariable(lamps)
    let watch = ListWatch(list.filter { $0.isOn })
    #expect(lamps.allSatisfy { $0.isOn.subscriberCount == 1 })
    try list.remove(at: 1)
    let new = Lamp(5, isOn: false)
    try list.insert(new, at: 0)
    lamps[1].isOn.set(true)
    #expect(lamps[1].isOn.subscriberCount == 0 && new.isOn.subscriberCount == 1)
    #expect(watch.changes == ["0:2>"])
    new.isOn.set(true)
    #expect(watch.changes == ["0:2>", "0:>5"])
    watch.bag.disconnect()
    #expect((lamps + [new]).allSatisfy { $0.isOn.subscriberCount == 0 })
    #expect(list.subscriberCount == 0)
  }

  @Test func `L94 a condition is asked for once for each new element, while observed`() throws {
    let (list, calls) = (ArrayVariable(lamps), Counter())
    let shown = list.filter { lamp -> any ObservableValue<Bool> in
      calls.increment()
      return lamp.isOn
    }
    let watch = ListWatch(shown)
    #expect(calls.count == 4)
    try list.append(Lamp(5, isOn: true))
    try list.remove(at: 0)
    lamps[3].isOn.set(false)
    #expect(shown.value.map(\.name) == [2, 5] && shown.presentCount == 2)
    #expect(calls.count == 5)
    watch.bag.disconnect()
  }

  @Test func `L94 a condition of several elements toggles each`() throws {
    let (isDay, list) = (Variable(false), ArrayVariable([1, 2, 3]))
    let watch = ListWatch(list.filter { $0 == 2 ? isDay.map { !$0 } : isDay })
    isDay.set(true)
    #expect(watch.values.first == [2] && watch.values.last == [1, 3])
    var copy = [2]
    for change in watch.raw { try change.apply(to: &copy) }
    #expect(copy == [1, 3])
  }

  @Test func `L94 L58 a condition's transactions are those of the list it is in`() throws {
    let list = ArrayVariable(lamps)
    let watch = ListWatch(list.filter { $0.isOn })
    try lamps[0].isOn.withTransaction {
      lamps[0].isOn.set(true)
      lamps[0].isOn.set(false)
      lamps[0].isOn.set(true)
      #expect(watch.updates == "[ 0:>1 0:1> 0:>1")
      try list.remove(at: 3)
    }
    #expect(watch.updates == "[ 0:>1 0:1> 0:>1 2:4> ]")
    #expect(watch.changes == ["0:>1;2:4>"])
    lamps[0].isOn.begin()
    lamps[0].isOn.set(false)
    try list.remove(at: 0)
    try lamps[0].isOn.end()
    #expect(watch.updates.hasSuffix("] [ 0:1> ]"))
    #expect(watch.values.last?.map(\.name) == [2])
  }

  @Test func `L50 inside a sink the list holds what its condition does`() {
    let list = ArrayVariable(lamps)
    let shown = list.filter { $0.isOn }
    let seen = CollectingSink<[Int]>()
    // It hears of the switch before the list does.
    let early = lamps[0].isOn.futureValues.subscribe { _ in
      seen.sink.receive(shown.value.map(\.name))
    }
    let connection = shown.subscribe { _ in }
    lamps[0].isOn.set(true)
    #expect(seen.values == [[1, 2, 4]])
    early.disconnect()
    connection.disconnect()
  }

  @Test(arguments: 0..<40)
  func `L94 it is what it says after every step`(seed: UInt64) throws {
    var random = RandomLists(seed)
    let all = (0..<30).map { Lamp($0, isOn: random.number(0...1) == 0) }
    let list = ArrayVariable(Self.some(80, of: all, &random))
    let shown = list.filter { $0.isOn }
    let (names, unobserved) = (shown.map(\.name).sorted(), list.filter { $0.isOn })
    let (copy, sorted) = (ArrayVariable(shown.value), ArrayVariable(names.value))
    let bag = Connector()
    shown.changes.subscribe { try? copy.apply($0) }.put(into: bag)
    names.changes.subscribe { try? sorted.apply($0) }.put(into: bag)
    for _ in 0..<80 {
      let open = random.number(0...3) == 0 ? all[random.number(0...29)] : nil
      let isHeld = random.number(0...7) == 0
      open?.isOn.begin()
      if isHeld { list.begin() }
      for _ in 0..<random.number(1...4) { try Self.step(list, all, &random) }
      let expected = list.value.filter { $0.isOn.value }
      #expect(shown.value == expected && unobserved.value == expected)
      try open?.isOn.end()
      if isHeld { try list.end() }
      #expect(shown.value == expected && copy.value == expected)
      #expect(sorted.value == expected.map(\.name).sorted())
      for lamp in all {
        #expect(lamp.isOn.subscriberCount == list.value.count { $0 == lamp })
      }
    }
    bag.disconnect()
    #expect(all.allSatisfy { $0.isOn.subscriberCount == 0 })
  }

  private static func some(_ most: Int, of all: [Lamp], _ random: inout RandomLists) -> [Lamp] {
    (0..<random.number(0...most)).map { _ in all[random.number(0...(all.count - 1))] }
  }

  /// A switch is set, or a part of the list is another one.
  private static func step(
    _ list: ArrayVariable<Lamp>, _ all: [Lamp], _ random: inout RandomLists
  ) throws {
    let (lamp, count) = (all[random.number(0...29)], list.value.count)
    switch random.number(0...5) {
    case 0: lamp.isOn.set(random.number(0...1) == 0)
    case 1, 2: lamp.isOn.set(!lamp.isOn.value)
    case 3 where random.number(0...5) == 0: try list.set(some(60, of: all, &random))
    default:
      let at = random.number(0...count)
      let removed = random.number(0...min(4, count - at))
      try list.replace(at..<(at + removed), with: some(4, of: all, &random))
    }
  }

  @Test func `L94 threads that toggle and change at once leave nothing wrong`() throws {
    let all = (0..<12).map { Lamp($0, isOn: false) }
    let list = ArrayVariable(Array(all.prefix(6)))
    let shown = list.filter { $0.isOn }
    let copy = ArrayVariable<Lamp>()
    let connection = shown.changes.subscribe { try? copy.apply($0) }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<300 {
        switch thread {
        case 0: try? list.append(all[number % 12])
        case 1: try? list.remove(at: 0)
        default: all[(number + thread) % 12].isOn.set(number % 3 == thread % 3)
        }
      }
    }
    #expect(shown.value == list.value.filter { $0.isOn.value })
    #expect(copy.value == shown.value)
    for lamp in all {
      #expect(lamp.isOn.subscriberCount == list.value.count { $0 == lamp })
    }
    connection.disconnect()
    #expect(all.allSatisfy { $0.isOn.subscriberCount == 0 })
  }
}
