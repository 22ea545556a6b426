import GatheredKitTesting
import Streams
import Testing

/// Publinks, by the laws of patches 2.1.
struct PublinkTests {
  @Test func `publishing makes the value the last one before any subscriber runs, patches L1`() {
    let publink = Publink<Int>()
    let seen = CollectingSink<Int?>()
    let connection = publink.subscribe { value in
      seen.add(publink.last)
      if value == 1 {
        publink.publish(2)
        seen.add(publink.last)
      }
    }
    publink.publish(1)
    #expect(seen.values == [1, 2, 2])
    withExtendedLifetime(connection) {}
  }

  @Test func `a new subscriber receives the last value once, if one was published, patches L2`() {
    let publink = Publink<Int?>()
    let early = CollectingSink<Int?>()
    let first = publink.collect(into: early)
    #expect(early.values.isEmpty)
    #expect(!publink.hasPublished)
    publink.publish(nil)
    let late = CollectingSink<Int?>()
    let second = publink.collect(into: late)
    #expect(late.values == [nil])
    #expect(publink.hasPublished)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `replaysLast is asked when subscribing only, patches L3`() {
    let publink = Publink<Int>(replaysLast: false)
    publink.publish(1)
    let silent = CollectingSink<Int>()
    let first = publink.collect(into: silent)
    publink.publish(2)
    publink.replaysLast = true
    let replayed = CollectingSink<Int>()
    let second = publink.collect(into: replayed)
    #expect(silent.values == [2])
    #expect(replayed.values == [2])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `named and anonymous subscribers are called in one order, patches L4`() {
    let publink = Publink<Int>()
    let seen = CollectingSink<String>()
    publink.subscribe(named: "a") { _ in seen.add("a") }
    let middle = publink.subscribe { _ in seen.add("-") }
    publink.subscribe(named: "b") { _ in seen.add("b") }
    publink.publish(1)
    #expect(seen.values == ["a", "-", "b"])
    withExtendedLifetime(middle) {}
  }

  @Test func `a taken name is replaced in its place and receives the last value, patches L5`() {
    let publink = Publink<Int>()
    let seen = CollectingSink<String>()
    let gone = Counter()
    let guest = Box<Guest>()
    guest.value = Guest { gone.increment() }
    publink.subscribe(named: "a") { [held = guest.value] value in
      held?.visit()
      seen.add("old \(value)")
    }
    guest.value = nil
    publink.subscribe(named: "b") { seen.add("b \($0)") }
    publink.publish(1)
    #expect(gone.count == 0)
    publink.subscribe(named: "a") { seen.add("new \($0)") }
    #expect(gone.count == 1)
    publink.publish(2)
    #expect(seen.values == ["old 1", "b 1", "new 1", "new 2", "b 2"])
    #expect(publink.subscriberCount == 2)
  }

  @Test func `names that look alike are two names, patches L5`() {
    let publink = Publink<Int>()
    let seen = CollectingSink<Int>()
    publink.subscribe(named: "\u{E9}") { seen.add($0) }
    publink.subscribe(named: "e\u{301}") { seen.add($0 * 10) }
    publink.publish(1)
    #expect(seen.values == [1, 10])
  }

  @Test func `an unsubscribed name joins at the end when it comes back, patches L6`() {
    let publink = Publink<Int>()
    let seen = CollectingSink<String>()
    publink.unsubscribe("nobody")
    publink.subscribe(named: "a") { seen.add("a\($0)") }
    publink.subscribe(named: "b") { seen.add("b\($0)") }
    publink.unsubscribe("a")
    publink.publish(1)
    publink.subscribe(named: "a") { seen.add("a\($0)") }
    publink.publish(2)
    #expect(seen.values == ["b1", "a1", "b2", "a2"])
  }

  @Test func `who is removed before its turn is not called, patches L7`() {
    let publink = Publink<Int>()
    let seen = CollectingSink<String>()
    publink.subscribe(named: "first") { _ in publink.unsubscribe("second") }
    publink.subscribe(named: "second") { _ in seen.add("second") }
    publink.subscribe(named: "third") { _ in seen.add("third") }
    publink.publish(1)
    #expect(seen.values == ["third"])
  }

  @Test(arguments: [true, false])
  func `subscribing from inside yields the value once or not at all, patches L8`(replays: Bool) {
    let publink = Publink<Int>(replaysLast: replays)
    let seen = CollectingSink<Int>()
    let inner = Box<Connection>()
    let outer = publink.subscribe { value in
      if value == 1 { inner.value = publink.collect(into: seen) }
    }
    publink.publish(1)
    #expect(seen.values == (replays ? [1] : []))
    publink.publish(2)
    #expect(seen.values == (replays ? [1, 2] : [2]))
    withExtendedLifetime((outer, inner)) {}
  }

  @Test func `publishing from inside queues, and all end on the same value, patches L9`() {
    let publink = Publink<Int>()
    let seen = CollectingSink<String>()
    publink.subscribe(named: "a") { value in
      seen.add("a\(value)")
      if value < 3 { #expect(publink.publish(value + 1) == .queued) }
    }
    publink.subscribe(named: "b") { seen.add("b\($0)") }
    #expect(publink.publish(1) == .delivered)
    #expect(seen.values == ["a1", "b1", "a2", "b2", "a3", "b3"])
  }

  @Test(arguments: [true, false])
  func `what a new subscriber publishes at its initial value reaches it once, patches L10`(
    isNamed: Bool
  ) {
    let publink = Publink<Int>()
    publink.publish(1)
    let seen = CollectingSink<Int>()
    let receive: @Sendable (Int) -> Void = { value in
      seen.add(value)
      if value == 1 { publink.publish(2) }
    }
    var connection: Connection?
    if isNamed {
      publink.subscribe(named: "a", receive)
    } else {
      connection = publink.subscribe(receive)
    }
    #expect(seen.values == [1, 2])
    withExtendedLifetime(connection) {}
  }

  @Test func `a value refused by the cascade limit is not the last one, patches L11`() {
    let publink = Publink<Int>(cascadeLimit: 5)
    let refusals = Counter()
    publink.subscribe(named: "a") { value in
      if publink.publish(value + 1) == .refused(.cascadeLimit) { refusals.increment() }
    }
    publink.publish(1)
    #expect(publink.last == 5)
    #expect(refusals.count == 1)
    #expect(publink.publish(0) == .delivered)
  }

  @Test func `each subscriber sees each thread's values in its order, patches L12`() async {
    let publink = Publink<(Int, Int)>()
    let seen = CollectingSink<(Int, Int)>()
    let connection = publink.collect(into: seen)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask { for step in 0..<500 { publink.publish((thread, step)) } }
      }
    }
    publink.publish((9, 0))
    for thread in 0..<4 {
      #expect(seen.values.filter { $0.0 == thread }.map(\.1) == Array(0..<500))
    }
    withExtendedLifetime(connection) {}
  }

  @Test func `a named subscriber does not keep the publink, and goes with it, patches L13`() {
    let gone = Counter()
    weak var witness: Publink<Int>?
    do {
      let publink = Publink<Int>()
      witness = publink
      let guest = Guest { gone.increment() }
      publink.subscribe(named: "a") { _ in guest.visit() }
      publink.publish(1)
    }
    #expect(witness == nil)
    #expect(gone.count == 1)
  }

  @Test func `releasing a connection removes the subscriber, patches L13`() {
    let publink = Publink<Int>()
    var connection: Connection? = publink.subscribe { _ in }
    #expect(publink.subscriberCount == 1)
    withExtendedLifetime(connection) {}
    connection = nil
    #expect(publink.subscriberCount == 0)
  }
}
