import GatheredKitTesting
import Testing

@testable import Ground

@Suite struct TimerHeapTests {
  @Test func `random work agrees with a sorted list`() {
    var generator = SeededGenerator(seed: 7)
    var heap = TimerHeap()
    var model: [(moment: Int64, number: Int)] = []
    var tickets: [Int: TimerHeap.Ticket] = [:]
    let ran = LineLog()
    for number in 0..<5000 {
      let moment = Int64(generator.next() % 64)
      tickets[number] = heap.add(at: moment) { ran.add("\(number)") }
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
    while let action = heap.takeDue(by: .max) { action() }
    let expected = model.sorted { ($0.moment, $0.number) < ($1.moment, $1.number) }
    #expect(ran.lines == expected.map { "\($0.number)" })
    #expect(tickets.values.allSatisfy { heap.remove($0) == nil })
  }

  @Test func `what is not due or was added too late stays`() {
    var heap = TimerHeap()
    let limit = heap.nextSequence
    _ = heap.add(at: 5) {}
    #expect(heap.takeDue(by: 4) == nil)
    #expect(heap.takeDue(by: 5, addedBefore: limit) == nil)
    #expect(heap.takeDue(by: 5, addedBefore: limit + 1) != nil)
    #expect(heap.earliest == nil)
  }
}
