import GatheredKitTesting
import Ground
import Streams
import Testing

private final class Room: Sendable {
  let number: Int
  let warmth: Variable<Int>
  let bell = Signal<String>()
  let half: any ObservableValue<Int>
  let upside: any UpdatableValue<Int>

  init(number: Int, warmth: Int) {
    self.number = number
    let variable = Variable(warmth)
    self.warmth = variable
    half = variable.map { $0 / 2 }
    upside = variable.map({ -$0 }, inverse: { -$0 })
  }
}

@Suite struct MappedFieldTests {
  private let first = Room(number: 1, warmth: 20)
  private let second = Room(number: 2, warmth: 30)
  private let room: Variable<Room>

  init() { room = Variable(first) }

  @Test func `a plain field is looked up (L60)`() {
    let watch = Watch(room.map(\.number))
    room.set(second)
    #expect(watch.updates == "[ 1>2 ]")
  }

  @Test func `an observable field is followed through switches, as one change (L60)`() {
    let warmth: any UpdatableValue<Int> = room.map(\.warmth)
    let watch = Watch(warmth)
    first.warmth.set(21)
    room.set(second)
    first.warmth.set(0)
    second.warmth.set(31)
    #expect(watch.updates == "[ 20>21 ] [ 21>30 ] [ 30>31 ]")
    #expect(first.warmth.subscriberCount == 0)
    warmth.value = 32
    #expect(second.warmth.value == 32)
    #expect(watch.values == [20, 21, 30, 31, 32])
    watch.bag.disconnect()
    #expect(room.subscriberCount + second.warmth.subscriberCount == 0)
  }

  @Test func `fields of any observable or updatable are followed too (L60)`() {
    let half = Watch(room.map(\.half))
    let upside: any UpdatableValue<Int> = room.map(\.upside)
    room.set(second)
    upside.value = -40
    #expect(half.updates == "[ 10>15 ] [ 15>20 ]")
    #expect(second.warmth.value == 40)
  }

  @Test func `a stream field is followed, the switch itself sends nothing (L60 L17)`() {
    let bells = room.map(\.bell)
    let heard = CollectingSink<String>()
    #expect(room.subscriberCount == 0)
    let connection = bells.collect(into: heard)
    first.bell.send("a")
    room.set(second)
    first.bell.send("b")
    second.bell.send("c")
    #expect(heard.values == ["a", "c"])
    #expect(first.bell.subscriberCount == 0)
    connection.disconnect()
    second.bell.send("d")
    #expect(heard.values == ["a", "c"])
    #expect(room.subscriberCount + second.bell.subscriberCount == 0)
  }
}
