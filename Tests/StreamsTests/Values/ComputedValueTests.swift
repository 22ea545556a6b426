import GatheredKitTesting
import Streams
import Testing

@Suite struct ComputedValueTests {
  @Test func `a dependent value is handed over once and after each change (L68)`() throws {
    let origin = Variable(1)
    let seen = CollectingSink<Int>()
    var dependent: DependentValue<Int>? = DependentValue(origin) { seen.add($0) }
    #expect(seen.values == [1])
    origin.begin()
    origin.set(2)
    origin.set(3)
    #expect(seen.values == [1])
    try origin.end()
    origin.withTransaction {}
    #expect(seen.values == [1, 3])
    withExtendedLifetime(dependent) {}
    dependent = nil
    origin.set(4)
    #expect(seen.values == [1, 3])
    #expect(origin.subscriberCount == 0)
  }

  @Test func `a computed value reads, writes, and reports on refresh (L68)`() throws {
    let store = Box<Int>()
    store.value = 1
    let computed = ComputedValue(get: { store.value ?? 0 }, set: { store.value = $0 })
    let watch = Watch(computed as any ObservableValue<Int>)
    store.value = 2
    #expect(computed.value == 2)
    #expect(watch.updates == "")
    computed.refresh()
    #expect(watch.updates == "[ 1>2 ]")
    computed.value = 5
    #expect(store.value == 5)
    #expect(watch.updates == "[ 1>2 ] [ 2>5 ]")
    computed.begin()
    computed.value = 6
    store.value = 7
    computed.refresh()
    try computed.end()
    #expect(watch.changes == ["1>2", "2>5", "5>7"])
    #expect(watch.values == [1, 2, 5, 7])
    #expect(throws: StreamError.notInTransaction) { try computed.end() }
  }

  @Test func `a computed value without a setter refuses to be set (L68)`() {
    let computed = ComputedValue { 1 }
    #expect(computed.set(2) == .refused(.notSupported))
    #expect(computed.value == 1)
  }
}
