import GatheredKitTesting
import Streams
import Testing

/// `bracketed`, `just`, `never` and `empty`.
@Suite struct BracketedTests {
  let signal = Signal<Int>()
  let bag = Connector()
  let seen = CollectingSink<Int>()

  @Test func `hello and goodbye once per subscriber, the leaver only (L20 L30)`() {
    let (hellos, goodbyes) = (Counter(), Counter())
    let stream = signal.bracketed(
      hello: { hellos.increment() }, goodbye: { -goodbyes.increment() })
    let left = CollectingSink<Int>()
    let leaver = stream.collect(into: left)
    stream.collect(into: seen).put(into: bag)
    signal.send(10)
    leaver.disconnect()
    leaver.disconnect()
    signal.send(11)
    #expect(left.values == [1, 10, -1])
    #expect(seen.values == [2, 10, 11])
  }

  @Test func `both are optional, and so are their answers (L30)`() {
    signal.bracketed().collect(into: seen).put(into: bag)
    signal.bracketed(hello: { nil }, goodbye: { nil }).collect(into: seen).put(into: bag)
    signal.send(1)
    bag.disconnect()
    #expect(seen.values == [1, 1])
  }

  @Test func `a bracket keeps its place through operators, before their own initial value (L19)`() {
    let held = Variable(5)
    let stream = held.map { $0 * 10 }.bracketed(hello: { 1 }, goodbye: { 2 })
    stream.collect(into: seen).put(into: bag)
    signal.map { $0 + 1 }.flatMap { [$0] }.bracketed(hello: { 3 }, goodbye: { 4 })
      .collect(into: seen).put(into: bag)
    bag.disconnect()
    #expect(seen.values == [1, 50, 3, 2, 4])
  }

  @Test func `an initial value that still waits does not keep who has left (L15 L19)`() {
    let gone = Counter()
    let late = Box<Connection>()
    let stream = signal.bracketed(hello: { 9 })
    signal.subscribe { [seen] _ in
      late.value = stream.subscribe { [guest = Guest { gone.increment() }] value in
        guest.visit()
        seen.add(value)
      }
      late.value?.disconnect()
      #expect(gone.count == 1)
    }.put(into: bag)
    signal.send(1)
    #expect(seen.values.isEmpty)
  }

  @Test func `what is sent during an initial value waits behind it (L19)`() {
    let stream = signal.bracketed(hello: { [signal] in
      signal.send(2)
      return 1
    })
    stream.collect(into: seen).put(into: bag)
    #expect(seen.values == [1, 2])
  }

  @Test func `on a busy stream the running drain delivers the initial value (L4 L6 L19)`() {
    let stream = signal.bracketed(hello: { 100 })
    let log = CollectingSink<String>()
    stream.subscribe { [signal, bag] value in
      log.add("<\(value)")
      if value == 1 {
        signal.send(2)
        stream.subscribe { log.add("late \($0)") }.put(into: bag)
        signal.send(3)
      }
      log.add(">")
    }.put(into: bag)
    signal.send(1)
    #expect(
      log.values == ["<100", ">", "<1", ">", "<2", ">", "late 100", "<3", ">", "late 3"])
  }

  @Test func `who leaves while it runs hears goodbye afterwards, detached (L20)`() {
    let own = Box<Connection>()
    let log = CollectingSink<String>()
    let stream = signal.bracketed(goodbye: { [signal] in -signal.subscriberCount })
    own.value = stream.subscribe { value in
      log.add("<\(value)")
      own.value?.disconnect()
      log.add(">")
    }
    signal.send(1)
    #expect(log.values == ["<1", ">", "<0", ">"])
  }

  @Test func `just sends its value once and is then silent, never and empty are silent (L31)`() {
    let stream = just(5)
    stream.collect(into: seen).put(into: bag)
    stream.collect(into: seen).put(into: bag)
    #expect(seen.values == [5, 5])
    let silent: any ValueStream<Int> = never()
    silent.collect(into: seen).put(into: bag)
    empty(Int.self).collect(into: seen).put(into: bag)
    #expect(seen.values == [5, 5])
    #expect(bag.count == 4)
  }
}
