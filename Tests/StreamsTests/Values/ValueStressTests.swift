import Dispatch
import GatheredKitTesting
import Streams
import Testing

private func inParallel(_ threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
  DispatchQueue.concurrentPerform(iterations: threads, execute: body)
}

/// Whether begins and ends alternate and every change lies between them and chains.
private func isWellFormed(_ updates: [TransactionEvent<ValueChange<Int>>], from start: Int) -> Bool
{
  var (isOpen, present) = (false, start)
  for update in updates {
    switch update {
    case .begin:
      if isOpen { return false }
      isOpen = true
    case .change(let change):
      if !isOpen || change.old != present { return false }
      present = change.new
    case .end:
      if !isOpen { return false }
      isOpen = false
    }
  }
  return !isOpen
}

@Suite struct ValueStressTests {
  @Test func `a combination of values set by several threads is true at the end (L58 L62)`() {
    let parts = (0..<3).map { Variable($0) }
    let sum = combined(parts[0], parts[1], parts[2]) { $0 + $1 + $2 }
    let watch = Watch(sum + parts[0])
    inParallel(3) { thread in
      for number in 0..<500 {
        if number % 7 == 0 {
          parts[thread].withTransaction {
            parts[thread].set(number)
            parts[(thread + 1) % 3].set(number)
          }
        } else {
          parts[thread].set(number)
        }
      }
    }
    #expect(isWellFormed(watch.raw, from: 3))
    #expect(watch.values.last == parts.map(\.value).reduce(parts[0].value, +))
    #expect(watch.ticks > 0)
  }

  @Test func `switches and sets by several threads leave one target heard (L61 L18)`() {
    let targets = (0..<3).map { Variable($0) }
    let outer = Variable(targets[0])
    let content: any ObservableValue<Int> = outer.unpacked()
    let watch = Watch(content)
    inParallel(3) { thread in
      for number in 0..<500 {
        if thread == 0 { outer.set(targets[number % 3]) } else { targets[thread].set(number) }
      }
    }
    #expect(isWellFormed(watch.raw, from: 0))
    #expect(watch.values.last == content.value)
    #expect(targets.map(\.subscriberCount) == targets.map { $0 === outer.value ? 1 : 0 })
    watch.bag.disconnect()
    #expect(targets.allSatisfy { $0.subscriberCount == 0 })
  }

  @Test func `values bound together and set by several threads end equal (L67)`() throws {
    let chain = (0..<3).map { _ in Variable(0) }
    let bag = Connector()
    try chain[0].bind(to: chain[1]).put(into: bag)
    try chain[1].bind(to: chain[2].map({ -$0 }, inverse: { -$0 })).put(into: bag)
    let watches = chain.map { Watch($0) }
    inParallel(3) { thread in
      for number in 0..<300 { chain[thread].set(thread * 1000 + number) }
    }
    #expect(chain[0].value == chain[1].value)
    #expect(chain[1].value == -chain[2].value)
    #expect(watches.allSatisfy { isWellFormed($0.raw, from: 0) })
    for variable in chain {
      #expect(throws: StreamError.notInTransaction) { try variable.end() }
    }
  }

  @Test func `joining and leaving among sets: attached once, left by all (L17 L18 L19)`() {
    let origins = [Variable(0), Variable(0)]
    let shared = (origins[0] + origins[1]).map { $0 * 2 }
    inParallel(4) { thread in
      for number in 0..<300 {
        if thread < 2 {
          origins[thread].set(number)
          continue
        }
        let last = Box<Int>()
        let connection = shared.subscribe { value in
          #expect(value % 2 == 0 && value >= last.value ?? 0)
          last.value = value
        }
        connection.disconnect()
      }
    }
    #expect(origins.allSatisfy { $0.subscriberCount == 0 })
    let connection = shared.subscribe { _ in }
    #expect(origins.allSatisfy { $0.subscriberCount == 1 })
    #expect(shared.value == 2 * (origins[0].value + origins[1].value))
    withExtendedLifetime(connection) {}
  }
}
