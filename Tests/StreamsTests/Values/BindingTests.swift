import GatheredKitTesting
import Streams
import Synchronization
import Testing

@Suite struct BindingTests {
  let left = Variable(1)
  let right = Variable(2)

  @Test func `binding copies left to right in a transaction on both (L67)`() throws {
    let (a, b) = (Watch(left), Watch(right))
    let connection = try left.bind(to: right)
    #expect(right.value == 1)
    #expect(a.updates == "[ ]")
    #expect(b.updates == "[ 2>1 ]")
    withExtendedLifetime(connection) {}
  }

  @Test func `what is equivalent is not copied (L67)`() throws {
    let connection = try left.bind(to: right) { abs($0 - $1) < 5 }
    #expect((left.value, right.value) == (1, 2))
    right.set(7)
    #expect(left.value == 7)
    left.set(9)
    #expect(right.value == 7)
    withExtendedLifetime(connection) {}
  }

  @Test func `a change on either side is copied once, inside the transaction (L67)`() throws {
    let connection = try left.bind(to: right)
    let (a, b) = (Watch(left), Watch(right))
    left.set(5)
    #expect(b.updates == "[ 1>5 ]")
    #expect(a.updates == "[ 1>5 ]")
    right.begin()
    #expect(a.updates == "[ 1>5 ] [")
    right.set(6)
    #expect(left.value == 6)
    right.set(7)
    try right.end()
    #expect(a.updates == "[ 1>5 ] [ 5>6 6>7 ]")
    #expect(a.changes == ["1>5", "5>7"])
    #expect(b.changes == ["1>5", "5>7"])
    withExtendedLifetime(connection) {}
  }

  @Test func `both sides written in one transaction of both (L67)`() throws {
    let connection = try left.bind(to: right)
    let (a, b) = (Watch(left), Watch(right))
    left.begin()
    left.set(3)
    right.set(4)
    try left.end()
    #expect(a.updates == "[ 1>3 3>4 ]")
    #expect(b.updates == "[ 1>3 3>4 ]")
    withExtendedLifetime(connection) {}
  }

  @Test func `a side stays open as long as the other is (L67)`() throws {
    let connection = try left.bind(to: right)
    let a = Watch(left)
    left.begin()
    right.begin()
    try left.end()
    left.set(8)
    #expect(a.raw.last != .end)
    try right.end()
    #expect(a.raw.last == .end)
    #expect((left.value, right.value) == (8, 8))
    #expect(throws: StreamError.notInTransaction) { try left.end() }
    withExtendedLifetime(connection) {}
  }

  @Test func `binding inside a transaction is an error without effect (L67)`() throws {
    for side in [left, right] {
      side.begin()
      #expect(throws: StreamError.transactionOpen) { try left.bind(to: right) }
      let mapped = left.map({ $0 }, inverse: { $0 })
      #expect(throws: StreamError.transactionOpen) { try mapped.bind(to: right) }
      try side.end()
    }
    #expect((left.value, right.value) == (1, 2))
    #expect((left.subscriberCount, right.subscriberCount) == (0, 0))
  }

  @Test func `disconnecting is allowed at any time and ends what it had opened (L67)`() throws {
    let connection = try left.bind(to: right)
    let b = Watch(right)
    left.begin()
    left.set(3)
    connection.disconnect()
    #expect(b.updates == "[ 1>3 ]")
    left.set(4)
    try left.end()
    #expect((left.value, right.value) == (4, 3))
    #expect((left.subscriberCount, right.subscriberCount) == (0, 4))
  }

  @Test func `a binding keeps both sides, releasing it lets them go (L67 L14)`() throws {
    weak var held: Variable<Int>?
    var connection: Connection?
    do {
      let variable = Variable(0)
      held = variable
      connection = try variable.bind(to: right)
    }
    #expect(held != nil)
    #expect(connection?.isConnected == true)
    connection = nil
    #expect(held == nil)
    #expect(right.subscriberCount == 0)
  }

  @Test func `a chain moves as one, also through mapped and combined values (L67)`() throws {
    let bag = Connector()
    let (third, other) = (Variable(0), Variable(0))
    try left.bind(to: right.map({ $0 * 2 }, inverse: { $0 / 2 })).put(into: bag)
    try right.bind(to: third).put(into: bag)
    let pair = combined(third, other, by: { $0 + $1 }, inverse: { ($0, 0) })
    let total = Variable(0)
    try total.bind(to: pair).put(into: bag)
    let watches = [left, right, third, total].map { Watch($0) }
    left.withTransaction {
      left.set(8)
      left.set(10)
    }
    #expect([left, right, third, total].map(\.value) == [10, 5, 5, 5])
    #expect(watches.allSatisfy { $0.changes.count == 1 && $0.raw.last == .end })
    total.set(7)
    #expect([left, right, third, other].map(\.value) == [14, 7, 7, 0])
    #expect(watches.allSatisfy { $0.changes.count == 2 && $0.raw.last == .end })
  }

  @Test func `a ring of bindings and a value bound to itself come to rest (L67)`() throws {
    let bag = Connector()
    let third = Variable(3)
    try left.bind(to: right).put(into: bag)
    try right.bind(to: third).put(into: bag)
    try third.bind(to: left).put(into: bag)
    try left.bind(to: left).put(into: bag)
    let watches = [left, right, third].map { Watch($0) }
    right.set(9)
    _ = third.withTransaction { third.set(4) }
    #expect([left, right, third].map(\.value) == [4, 4, 4])
    #expect(watches.allSatisfy { $0.raw.last == .end })
    for side in [left, right, third] {
      #expect(throws: StreamError.notInTransaction) { try side.end() }
    }
  }

  @Test func `what never becomes equal is copied until a side allows no more (L12)`() throws {
    let side = Variable(0, cascadeLimit: 50)
    let reads = Atomic(0)
    let restless = side.map(
      { _ in reads.add(1, ordering: .relaxed).newValue }, inverse: { $0 })
    let connection = try restless.bind(to: side)
    #expect(reads.load(ordering: .relaxed) < 500)
    side.set(-1)
    #expect(reads.load(ordering: .relaxed) < 1000)
    withExtendedLifetime(connection) {}
  }
}
