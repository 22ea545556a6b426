import Testing

@testable import Serving

/// What waits for a client of a stream (serve W17).
struct EventQueueTests {
  private static func text(_ queue: EventQueue, _ limit: Int = .max) -> String {
    String(decoding: queue.take(upTo: limit), as: UTF8.self)
  }

  @Test func `events come in order, numbered, each once`() {
    let queue = EventQueue(ServerCounts())
    queue.put("a", "1")
    queue.put("b", "2", rows: 1)
    #expect(Self.text(queue) == "id: 1\nevent: a\ndata: 1\n\nid: 2\nevent: b\ndata: 2\n\n")
    #expect(Self.text(queue) == "")
  }

  @Test func `a client takes parts, of whole events`() {
    let queue = EventQueue(ServerCounts())
    for number in 0..<3 { queue.put("a", "\(number)") }
    #expect(Self.text(queue, 1) == "id: 1\nevent: a\ndata: 0\n\n")
    #expect(Self.text(queue, 40).contains("data: 2"))
  }

  @Test func `rows beyond the limit are lost, the oldest first, and counted`() {
    let counts = ServerCounts()
    let queue = EventQueue(counts)
    let kilobyte = String(repeating: "x", count: 1000)
    queue.put("hello", "kept")
    for _ in 0..<2000 { queue.put("frame", kilobyte, rows: 5) }
    let lost = queue.lostRows
    #expect(lost > 0 && lost % 5 == 0 && counts.lostRows == lost)
    let text = Self.text(queue)
    #expect(text.utf8.count <= Limits.queuedBytes + 100)
    #expect(text.hasPrefix("event: gap\ndata: {\"rows\":\(lost)}\n\nid: 1\nevent: hello\n"))
    #expect(text.contains("id: 2001\n"))
    queue.put("frame", "y", rows: 1)
    #expect(!Self.text(queue).contains("gap"))
  }

  @Test func `a client that lets all else pile up has its stream ended`() {
    let queue = EventQueue(ServerCounts())
    let kilobyte = String(repeating: "x", count: 1000)
    for _ in 0..<1200 where !queue.isEnded { queue.put("source", kilobyte) }
    #expect(queue.isEnded)
  }

  @Test func `after the end nothing is put`() {
    let queue = EventQueue(ServerCounts())
    queue.end(because: "the server ends")
    #expect(!queue.put("a", "1"))
    queue.comment()
    #expect(Self.text(queue) == "id: 1\nevent: end\ndata: {\"reason\":\"the server ends\"}\n\n")
  }
}
