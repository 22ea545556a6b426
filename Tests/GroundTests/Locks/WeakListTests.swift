import Ground
import Testing

@Suite struct WeakListTests {
  @Test func `objects are listed in the order they were added, while they are there`() {
    let list = WeakList<Guest>()
    let first = Guest(1)
    var second: Guest? = Guest(2)
    let third = Guest(3)
    for guest in [first, second, third].compactMap(\.self) { list.add(guest) }
    #expect(list.objects.map(\.number) == [1, 2, 3])
    second = nil
    #expect(list.objects.map(\.number) == [1, 3])
    _ = second
    withExtendedLifetime((first, third)) {}
  }

  @Test func `what has gone takes no room`() {
    let list = WeakList<Guest>()
    let kept = Guest(0)
    list.add(kept)
    for number in 1...10_000 { list.add(Guest(number)) }
    #expect(list.count < 20)
    #expect(list.objects.map(\.number) == [0])
    withExtendedLifetime(kept) {}
  }

  private final class Guest: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
    // A list that looked at its objects under its lock would let go of one there.
    deinit { LockRank.expectNoLock("lets go of a guest") }
  }
}
