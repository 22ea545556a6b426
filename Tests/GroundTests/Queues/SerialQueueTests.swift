import GatheredKitTesting
import Testing

@testable import Ground

@Suite struct SerialQueueTests {
  @Test func `entries are carried out in the order they were added, with rising numbers`() {
    var queue = SerialQueue<Job<String>>(cascadeLimit: 10)
    #expect(queue.isEmpty && !queue.isDraining)
    for name in ["a", "b", "c"] { add(name, to: &queue) }
    #expect(queue.lastNumber == 3)
    queue.start()
    #expect(queue.isDraining && queue.isInside)
    #expect(queue.first?.content == "a")
    #expect(queue.next()?.content == "a" && queue.currentRoot == 1)
    #expect(queue.next()?.content == "b" && queue.currentRoot == 2)
    #expect(queue.next()?.content == "c")
    #expect(queue.next() == nil)
    queue.stop()
    #expect(!queue.isDraining && !queue.isInside)
  }

  @Test func `only the thread that drains is inside`() throws {
    let log = LineLog()
    let queue = Lock(SerialQueue<Job<Int>>(cascadeLimit: 10))
    queue.withLock { $0.start() }
    let thread = try WorkerThread(named: "other") {
      log.add(queue.withLock { $0.isInside } ? "inside" : "outside")
    }
    thread.join()
    #expect(log.lines == ["outside"])
  }

  @Test func `what is added from inside counts in its cascade until that is full`() {
    var queue = SerialQueue<Job<Int>>(cascadeLimit: 3)
    queue.start()
    let root = queue.enter()
    for _ in 0..<2 {
      #expect(queue.admit(isInside: true) == root)
      add(0, to: &queue, root: root)
    }
    #expect(queue.admit(isInside: true) == nil)
    // What comes from elsewhere begins a cascade of its own, as large as any.
    let other = queue.admit(isInside: false)
    #expect(other == add(1, to: &queue))
    #expect(queue.next()?.content == 0 && queue.currentRoot == root)
    #expect(queue.admit(isInside: true) == nil)
    #expect(queue.next()?.content == 0)
    #expect(queue.next()?.content == 1 && queue.currentRoot == other)
    #expect(queue.admit(isInside: true) == other)
  }

  @Test func `a new drain counts anew`() {
    var queue = SerialQueue<Job<Int>>(cascadeLimit: 1)
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
    var queue = SerialQueue<Job<Int>>(cascadeLimit: 2)
    queue.start()
    for _ in 0..<500 {
      let root = queue.enter()
      #expect(queue.admit(isInside: true) == root)
      add(0, to: &queue, root: root)
    }
    while queue.next() != nil { #expect(queue.admit(isInside: true) == nil) }
  }

  @Test func `cascades that take turns are counted apart`() {
    var queue = SerialQueue<Job<Int>>(cascadeLimit: 3)
    queue.start()
    let roots = (0..<3).map { add($0, to: &queue) }
    for _ in 0..<2 {
      for root in roots {
        #expect(queue.next() != nil)
        #expect(queue.hasRoom(isInside: true))
        #expect(queue.admit(isInside: true) == root)
        add(0, to: &queue, root: root)
      }
    }
    for _ in roots {
      #expect(queue.next() != nil)
      #expect(!queue.hasRoom(isInside: true) && queue.hasRoom(isInside: false))
      #expect(queue.admit(isInside: true) == nil)
    }
  }

  @Test func `what is taken back is handed out`() {
    var queue = SerialQueue<Job<Int>>(cascadeLimit: 10)
    for number in 0..<6 { add(number, to: &queue) }
    #expect(queue.removeNewest(2) { $0.content % 2 == 0 }.map(\.content) == [2, 4])
    var rest: [Int] = []
    queue.takeAll().forEach { rest.append($0.content) }
    #expect(rest == [0, 1, 3, 5])
    #expect(queue.isEmpty)
    #expect(add(7, to: &queue) == 7)
  }

  private struct Job<Content: Sendable>: SerialEntry {
    let root: UInt64
    let content: Content
  }

  /// Adds a job, of a cascade of its own unless another is given, and answers its number.
  @discardableResult
  private func add<Content: Sendable>(
    _ content: Content, to queue: inout SerialQueue<Job<Content>>, root: UInt64? = nil
  ) -> UInt64 {
    queue.append(Job(root: root ?? queue.root(isInside: false), content: content))
    return queue.takeNumber()
  }
}
