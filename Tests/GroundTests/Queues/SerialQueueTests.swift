import GatheredKitTesting
import Testing

@testable import Ground

@Suite struct SerialQueueTests {
  @Test func `entries are carried out in the order they were added, with rising numbers`() {
    var queue = SerialQueue<String>(cascadeLimit: 10)
    #expect(queue.isEmpty && !queue.isDraining)
    for name in ["a", "b", "c"] { queue.append(name, root: queue.root(isInside: false)) }
    #expect(queue.lastNumber == 3)
    queue.start()
    #expect(queue.isDraining && queue.isInside)
    #expect(queue.next(through: 0) == nil)
    #expect(queue.next(through: 1)?.element == "a")
    let second = queue.next()
    #expect(second?.element == "b" && second?.number == 2 && queue.currentRoot == 2)
    #expect(queue.next()?.element == "c")
    #expect(queue.next() == nil)
    queue.stop()
    #expect(!queue.isDraining && !queue.isInside)
  }

  @Test func `only the thread that drains is inside`() throws {
    let log = LineLog()
    let queue = Lock(SerialQueue<Int>(cascadeLimit: 10))
    queue.withLock { $0.start() }
    let thread = try WorkerThread(named: "other") {
      log.add(queue.withLock { $0.isInside } ? "inside" : "outside")
    }
    thread.join()
    #expect(log.lines == ["outside"])
  }

  @Test func `what is added from inside counts in its cascade until that is full`() {
    var queue = SerialQueue<Int>(cascadeLimit: 3)
    queue.start()
    let root = queue.enter()
    for _ in 0..<2 {
      #expect(queue.admit(isInside: true) == root)
      queue.append(0, root: root)
    }
    #expect(queue.admit(isInside: true) == nil)
    // What comes from elsewhere begins a cascade of its own, as large as any.
    let other = queue.admit(isInside: false)
    #expect(other == queue.append(1, root: other ?? 0))
    #expect(queue.next()?.element == 0 && queue.currentRoot == root)
    #expect(queue.admit(isInside: true) == nil)
    #expect(queue.next()?.element == 0)
    #expect(queue.next()?.element == 1 && queue.currentRoot == other)
    #expect(queue.admit(isInside: true) == other)
  }

  @Test func `a new drain counts anew`() {
    var queue = SerialQueue<Int>(cascadeLimit: 1)
    queue.start()
    _ = queue.enter()
    #expect(queue.admit(isInside: true) == nil)
    queue.cascadeLimit = 0
    #expect(queue.cascadeLimit == 1)
    queue.cascadeLimit = 2
    #expect(queue.admit(isInside: true) != nil)
    #expect(queue.admit(isInside: true) == nil)
    queue.stop()
    queue.start()
    _ = queue.enter()
    #expect(queue.admit(isInside: true) != nil)
  }

  @Test func `cascades that wait are remembered however many there are`() {
    var queue = SerialQueue<Int>(cascadeLimit: 2)
    queue.start()
    for _ in 0..<500 {
      let root = queue.enter()
      #expect(queue.admit(isInside: true) == root)
      queue.append(0, root: root)
    }
    while queue.next() != nil { #expect(queue.admit(isInside: true) == nil) }
  }

  @Test func `what is taken back is handed out`() {
    var queue = SerialQueue<Int>(cascadeLimit: 10)
    for number in 0..<6 { queue.append(number, root: 1) }
    #expect(queue.removeNewest(2) { $0 % 2 == 0 } == [2, 4])
    var rest: [Int] = []
    queue.takeAll().forEach { rest.append($0.element) }
    #expect(rest == [0, 1, 3, 5])
    #expect(queue.isEmpty)
    #expect(queue.append(7, root: 1) == 7)
  }
}
