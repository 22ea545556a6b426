import GatheredKitTesting
import Streams
import Testing

/// Random numbers that are the same on every run.
private struct Dice {
  var state: UInt64
  mutating func roll(_ sides: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(sides))
  }
}

/// What a program acts on: three origins, a chain bound to the first, and what is derived.
private struct Stage {
  let origins = [Variable(1), Variable(2), Variable(3)]
  let bound = [Variable(0), Variable(0)]
  let switchboard: Variable<Variable<Int>>
  let bag = Connector()
  let derived: [any ObservableValue<Int>]
  /// The model: what each derived value must be, given the origins and the present target.
  let expected: [([Int], Int) -> Int]

  init() throws {
    let (a, b, c) = (origins[0], origins[1], origins[2])
    let board = Variable(b)
    switchboard = board
    try bound[0].bind(to: a).put(into: bag)
    try bound[0].bind(to: bound[1].map({ $0 &+ 1 }, inverse: { $0 &- 1 })).put(into: bag)
    let content: any ObservableValue<Int> = board.unpacked()
    let sum = a + b
    derived = [
      a.map { $0 * 2 }, sum, sum + a, combined(sum, content, c) { $0 &* 3 &+ $1 &- $2 },
      content, max(content, c), bound[1].map { -$0 },
      combined([a, b, c] as [any ObservableValue<Int>]).map { $0.reduce(0, &+) },
    ]
    expected = [
      { o, _ in o[0] * 2 }, { o, _ in o[0] + o[1] }, { o, _ in o[0] * 2 + o[1] },
      { o, t in (o[0] + o[1]) * 3 + t - o[2] }, { _, t in t }, { o, t in max(t, o[2]) },
      { o, _ in 1 - o[0] }, { o, _ in o[0] + o[1] + o[2] },
    ]
  }
}

@Suite struct TransactionProgramTests {
  @Test(arguments: 1...60)
  func `random programs: balanced, chained, one change a transaction, true at the end`(
    seed: Int
  ) throws {
    var dice = Dice(state: UInt64(seed))
    let stage = try Stage()
    let held = stage.derived + stage.origins + stage.bound
    let ledgers = held.map { Ledger($0) }
    let budget = Counter()
    for (index, value) in stage.derived.enumerated() where dice.roll(2) == 0 {
      react(to: value, by: index, on: stage, within: budget)
    }
    var open: [Variable<Int>] = []
    for _ in 0..<60 {
      let variables = stage.origins + stage.bound
      let variable = variables[dice.roll(variables.count)]
      switch dice.roll(6) {
      case 0:
        variable.begin()
        open.append(variable)
      case 1: if !open.isEmpty { try open.remove(at: dice.roll(open.count)).end() }
      case 2: stage.switchboard.set(stage.origins[dice.roll(3)])
      default: variable.set(dice.roll(100))
      }
      try check(stage)
    }
    for variable in open { try variable.end() }
    try check(stage)
    for ledger in ledgers { ledger.check() }
    for variable in stage.origins + stage.bound {
      #expect(throws: StreamError.notInTransaction) { try variable.end() }
    }
  }

  /// A sink that now and then sets an origin from inside a delivery.
  private func react(
    to value: any ObservableValue<Int>, by index: Int, on stage: Stage, within budget: Counter
  ) {
    let target = stage.origins[index % 3]
    let act = { @Sendable in
      let count = budget.increment()
      if count % 3 == 0, count < 200 { target.set(count % 50) }
    }
    if index % 2 == 0 {
      value.updates.subscribe { _ in act() }.put(into: stage.bag)
    } else {
      value.changes.subscribe { _ in act() }.put(into: stage.bag)
    }
  }

  /// Outside every delivery, all values are what the model says.
  private func check(_ stage: Stage) throws {
    let origins = stage.origins.map(\.value)
    let target = stage.switchboard.value.value
    for (value, expected) in zip(stage.derived, stage.expected) {
      try #require(value.value == expected(origins, target))
    }
    try #require(stage.bound[0].value == origins[0])
    try #require(stage.bound[1].value == origins[0] - 1)
  }
}

/// Watches that what one subscriber hears is well formed.
private final class Ledger: Sendable {
  private let observable: any ObservableValue<Int>
  private let start: Int
  private let watch: Watch<Int>

  init(_ observable: any ObservableValue<Int>) {
    self.observable = observable
    start = observable.value
    watch = Watch(observable)
  }

  func check() {
    var isOpen = false
    var present = start
    var expected: [String] = []
    var values = [start]
    var old: Int?
    var ends = 0
    for update in watch.raw {
      switch update {
      case .begin:
        #expect(!isOpen)
        isOpen = true
        old = nil
      case .change(let change):
        #expect(isOpen && change.old == present)
        old = old ?? change.old
        present = change.new
      case .end:
        #expect(isOpen)
        isOpen = false
        ends += 1
        if let old {
          expected.append("\(old)>\(present)")
          values.append(present)
        }
      }
    }
    #expect(!isOpen)
    #expect(present == observable.value)
    #expect(watch.changes == expected)
    #expect(watch.values == values)
    #expect(watch.ticks == ends)
  }
}
