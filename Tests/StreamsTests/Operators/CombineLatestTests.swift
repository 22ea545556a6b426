import GatheredKitTesting
import Streams
import Testing

@Suite struct CombineLatestTests {
  let number = Signal<Int>()
  let text = Signal<String>()
  let flag = Signal<Bool>()
  let bag = Connector()
  let log = CollectingSink<String>()

  @Test func `a tuple first when all have delivered, then on every arrival (L27)`() {
    combineLatest(number, text, flag).subscribe { [log] number, text, flag in
      log.add("\(number)\(text)\(flag)")
    }.put(into: bag)
    number.send(1)
    number.send(2)
    text.send("a")
    #expect(log.values.isEmpty)
    flag.send(true)
    text.send("b")
    flag.send(true)
    #expect(log.values == ["2atrue", "2btrue", "2btrue"])
  }

  @Test func `two to six inputs of any type (L27)`() {
    let held = (Variable(1), Variable("a"), Variable(2.5), Variable(true))
    combineLatest(held.0, held.1).subscribe { [log] in log.add("\($0)\($1)") }.put(into: bag)
    combineLatest(held.0, held.1, held.2, held.3, just(6), just("f"))
      .subscribe { [log] in log.add("\($0)\($1)\($2)\($3)\($4)\($5)") }.put(into: bag)
    #expect(log.values == ["1a", "1a2.5true6f"])
    held.0.set(3)
    #expect(log.take().suffix(2) == ["3a", "3a2.5true6f"])
  }

  @Test func `a list of inputs gives lists (L27)`() {
    let seen = CollectingSink<[Int]>()
    let other = Signal<Int>()
    combineLatest([number, other, number]).collect(into: seen).put(into: bag)
    number.send(1)
    other.send(2)
    number.send(3)
    #expect(seen.values == [[1, 2, 1], [3, 2, 1], [3, 2, 3]])
    combineLatest([any ValueStream<Int>]()).collect(into: seen).put(into: bag)
    #expect(seen.values.count == 3)
  }

  @Test func `one node for all: lazy, shared, and forgetful without subscribers (L17 L22)`() {
    let combined = combineLatest(number, text)
    #expect(number.subscriberCount == 0)
    combined.subscribe { [log] in log.add("\($0)\($1)") }.put(into: bag)
    combined.subscribe { [log] in log.add("\($0)\($1)") }.put(into: bag)
    #expect(number.subscriberCount == 1)
    number.send(1)
    text.send("a")
    #expect(log.take() == ["1a", "1a"])
    bag.disconnect()
    #expect(text.subscriberCount == 0)
    combined.subscribe { [log] in log.add("\($0)\($1)") }.put(into: bag)
    number.send(2)
    #expect(log.values.isEmpty)
    text.send("b")
    #expect(log.values == ["2b"])
  }

  @Test func `what a sink sends queues behind the tuple in delivery (L3 L22)`() {
    combineLatest(number, text).subscribe { [log, text] number, letter in
      log.add("<\(number)\(letter)")
      if letter == "a" { text.send("b") }
      log.add(">")
    }.put(into: bag)
    text.send("a")
    number.send(1)
    #expect(log.values == ["<1a", ">", "<1b", ">"])
  }

  @Test func `a refused value is not stored either (L12)`() {
    let combined = combineLatest(number, text)
    combined.cascadeLimit = 1
    combined.subscribe { [log, text] number, letter in
      log.add("\(number)\(letter)")
      text.send("refused")
    }.put(into: bag)
    text.send("a")
    number.send(1)
    number.send(2)
    #expect(log.values == ["1a", "2a"])
  }
}
