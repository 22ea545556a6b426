import Gathering
import Testing

@testable import Recording

/// What the queue between sources and the recorder's thread keeps, and lets go of.
struct RecorderQueueTests {
  @Test func `a source that only the queue keeps ends outside the queue's lock`() throws {
    let queue = RecorderQueue(RecorderOptions())
    weak var kept: Source?
    do {
      let context = try RecorderTests.simulated("phone")
      let source = try context.open("battery")
      kept = source
      #expect(queue.add(.source(source, RecordedSeries(0, source))) == 0)
    }
    #expect(kept != nil)
    // A debug build ends the process where a source ends under a lock.
    queue.report(done: 0, isOver: true, held: 0, written: RecorderStatistics(), failure: nil)
    #expect(kept == nil)
  }
}
