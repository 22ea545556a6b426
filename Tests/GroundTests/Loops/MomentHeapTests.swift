import GatheredKitTesting
import Testing

@testable import Ground

@Suite struct MomentHeapTests {
  @Test func `random work agrees with a sorted list`() {
    var generator = SeededGenerator(seed: 7)
    var heap = MomentHeap<Int>()
    var model: [(moment: Int64, number: Int)] = []
    var tickets: [Int: MomentHeap<Int>.Ticket] = [:]
    var taken: [Int] = []
    for number in 0..<5000 {
      let moment = Int64(generator.next() % 64)
      tickets[number] = heap.add(number, at: moment)
      model.append((moment, number))
      let victim = Int(generator.next() % UInt64(number + 1))
      if tickets[victim] != nil {
        #expect(tickets[victim].flatMap { heap.remove($0) } != nil)
        #expect(tickets[victim].flatMap { heap.remove($0) } == nil)
        tickets[victim] = nil
        model.removeAll { $0.number == victim }
      }
      #expect(heap.earliest == model.map(\.moment).min())
    }
    while let number = heap.takeDue(by: .max) { taken.append(number) }
    let expected = model.sorted { ($0.moment, $0.number) < ($1.moment, $1.number) }
    #expect(taken == expected.map(\.number))
    #expect(tickets.values.allSatisfy { heap.remove($0) == nil })
  }

  @Test func `what is not due or was added too late stays`() {
    var heap = MomentHeap<String>()
    let limit = heap.nextSequence
    _ = heap.add("due", at: 5)
    #expect(heap.takeDue(by: 4) == nil)
    #expect(heap.takeDue(by: 5, addedBefore: limit) == nil)
    #expect(heap.takeDue(by: 5, addedBefore: limit + 1) != nil)
    #expect(heap.earliest == nil)
  }

  @Test func `the first is moved behind what is due at its new moment`() {
    var heap = MomentHeap<String>()
    let ticket = heap.add("first", at: 1)
    _ = heap.add("second", at: 2)
    _ = heap.add("third", at: 3)
    heap.moveFirst(to: 3)
    #expect(heap.first == "second")
    #expect(heap.earliest == 2)
    let taken = (1...3).map { _ in heap.takeDue(by: 3) }
    #expect(taken == ["second", "third", "first"])
    #expect(heap.remove(ticket) == nil)
  }
}
