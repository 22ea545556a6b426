import GatheredKitTesting
import Streams
import Testing

@Suite struct DistinctValueTests {
  let origin = Variable(1)

  @Test func `begin and end pass, the merged change comes just before end (L64)`() throws {
    let watch = Watch(origin.distinct() as any ObservableValue<Int>)
    origin.begin()
    origin.set(2)
    #expect(watch.updates == "[")
    origin.set(3)
    try origin.end()
    origin.set(3)
    origin.withTransaction {
      origin.set(9)
      origin.set(3)
    }
    #expect(watch.updates == "[ 1>3 ] [ ] [ ]")
    #expect(watch.changes == ["1>3"])
    #expect(watch.values == [1, 3])
    #expect(watch.ticks == 3)
  }

  @Test func `equivalence is asked of the two sides of each transaction (L64)`() {
    let near = origin.distinct { abs($0 - $1) < 3 } as any ObservableValue<Int>
    let watch = Watch(near)
    for value in [2, 4, 7, 5] { origin.set(value) }
    #expect(watch.changes == ["4>7"])
    #expect(watch.values == [1, 7])
    #expect(near.value == 5)
  }

  @Test func `each subscriber decides for itself, the leaver too (L64 L20 L56)`() throws {
    let distinct = origin.distinct() as any ObservableValue<Int>
    let early = Watch(distinct)
    origin.begin()
    origin.set(2)
    let late = Watch(distinct)
    origin.set(1)
    let leaver = Watch(distinct)
    origin.set(2)
    leaver.bag.disconnect()
    #expect(leaver.updates == "[ 1>2 ]")
    try origin.end()
    #expect(early.updates == "[ 1>2 ]")
    #expect(late.updates == "[ ]")
    #expect(late.values == [2])
    #expect(leaver.updates == "[ 1>2 ]")
  }

  @Test func `writing passes through to the origin (L64)`() throws {
    let distinct: any UpdatableValue<Int> = origin.distinct()
    distinct.begin()
    distinct.value = 4
    #expect(origin.value == 4)
    try distinct.end()
    #expect(throws: StreamError.notInTransaction) { try origin.end() }
  }
}

@Suite struct BufferedValueTests {
  let origin = Variable(1)

  @Test func `silent during a transaction, one merged change afterwards (L65)`() throws {
    let buffered = origin.buffered()
    let watch = Watch(buffered)
    origin.begin()
    origin.set(2)
    origin.set(3)
    #expect(buffered.value == 1)
    #expect(watch.updates == "")
    try origin.end()
    #expect(buffered.value == 3)
    #expect(watch.updates == "[ 1>3 ]")
    origin.withTransaction {}
    #expect(watch.updates == "[ 1>3 ]")
  }

  @Test func `it works unobserved until it is released (L65 L17)`() {
    var buffered: (any ObservableValue<Int>)? = origin.buffered()
    #expect(origin.subscriberCount == 1)
    origin.set(5)
    #expect(buffered?.value == 5)
    let seen = CollectingSink<Int>()
    let connection = buffered?.futureValues.collect(into: seen)
    buffered = nil
    origin.set(6)
    #expect(seen.values == [6])
    connection?.disconnect()
    withExtendedLifetime(connection) {}
  }

  @Test func `released, it leaves its input (L65)`() {
    do { _ = origin.buffered() }
    #expect(origin.subscriberCount == 0)
  }
}
