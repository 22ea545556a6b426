import GatheredKitTesting
import Streams
import Testing

@Suite struct UnpackedTests {
  let first = Variable(1)
  let second = Variable(2)
  let outer: Variable<Variable<Int>>

  init() { outer = Variable(first) }

  @Test func `a switch is one change, the former target is no longer heard (L61)`() {
    let watch = Watch(outer.unpacked() as any ObservableValue<Int>)
    first.set(3)
    outer.set(second)
    first.set(9)
    second.set(4)
    #expect(watch.updates == "[ 1>3 ] [ 3>2 ] [ 2>4 ]")
    #expect(watch.values == [1, 3, 2, 4])
    #expect(first.subscriberCount == 0)
    watch.bag.disconnect()
    #expect(outer.subscriberCount + second.subscriberCount == 0)
  }

  @Test func `after a switch the former target's transaction counts no more (L61 L58)`() throws {
    let watch = Watch(outer.unpacked() as any ObservableValue<Int>)
    first.begin()
    first.set(5)
    #expect(watch.updates == "[ 1>5")
    outer.set(second)
    #expect(watch.updates == "[ 1>5 5>2 ]")
    try first.end()
    #expect(watch.updates == "[ 1>5 5>2 ]")
  }

  @Test func `after a switch the new target's transaction counts (L61 L58)`() throws {
    let watch = Watch(outer.unpacked() as any ObservableValue<Int>)
    second.begin()
    outer.set(second)
    #expect(watch.updates == "[ 1>2")
    second.set(7)
    try second.end()
    #expect(watch.updates == "[ 1>2 2>7 ]")
    #expect(watch.changes == ["1>7"])
  }

  @Test func `switching inside a transaction of the outer one stays inside it (L61)`() throws {
    let watch = Watch(outer.unpacked() as any ObservableValue<Int>)
    outer.begin()
    outer.set(second)
    second.set(3)
    outer.set(first)
    try outer.end()
    #expect(watch.updates == "[ 1>2 2>3 3>1 ]")
    #expect(watch.changes == ["1>1"])
  }

  @Test func `writing goes to the present target, and ends what it began (L61)`() throws {
    let content: any UpdatableValue<Int> = outer.unpacked()
    let watch = Watch(content)
    content.begin()
    content.value = 5
    outer.set(second)
    content.value = 6
    try content.end()
    #expect((first.value, second.value) == (5, 6))
    #expect(watch.changes == ["1>6"])
    #expect(throws: StreamError.notInTransaction) { try first.end() }
    #expect(throws: StreamError.notInTransaction) { try outer.end() }
    #expect(throws: StreamError.notInTransaction) { try content.end() }
  }

  @Test func `what holds any observable is unpacked too (L61)`() {
    let holder = Variable<any ObservableValue<Int>>(first)
    let watch = Watch(holder.unpacked())
    holder.set(first.map { $0 * 100 })
    first.set(2)
    #expect(watch.updates == "[ 1>100 ] [ 100>200 ]")
  }
}
