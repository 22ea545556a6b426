import Testing

@testable import Ground

@Suite struct FIFOTests {
  @Test func `the newest that are not wanted are taken out, and no older one is looked at`() {
    var queue = FIFO<Int>()
    for number in 0..<1000 { queue.append(number) }
    for _ in 0..<100 { _ = queue.popFirst() }
    var looks = 0
    let taken = queue.removeNewest(2) { number in
      looks += 1
      return number % 10 == 0
    }
    #expect(taken == [980, 990])
    #expect(looks == 20)
    var rest: [Int] = []
    while let number = queue.popFirst() { rest.append(number) }
    #expect(rest == (100..<1000).filter { $0 != 980 && $0 != 990 })
  }

  @Test func `fewer than asked for are all of them`() {
    var queue = FIFO<Int>()
    for number in 0..<10 { queue.append(number) }
    #expect(queue.removeNewest(5) { $0 == 3 } == [3])
    #expect(queue.removeNewest(0) { _ in true } == [])
    #expect(queue.first == 0)
  }

  @Test func `it keeps the order however it goes round, grows and empties`() {
    var queue = FIFO<Int>()
    var (next, oldest) = (0, 0)
    for round in 1...200 {
      for _ in 0..<(round % 90) {
        queue.append(next)
        next += 1
      }
      for _ in 0..<(round % 89) {
        guard let number = queue.popFirst() else { break }
        #expect(number == oldest)
        oldest += 1
      }
    }
    var rest: [Int] = []
    queue.forEach { rest.append($0) }
    #expect(rest == Array(oldest..<next))
    while queue.popFirst() != nil {}
    #expect(queue.isEmpty && queue.first == nil)
    queue.append(7)
    #expect(queue.first == 7)
  }
}
