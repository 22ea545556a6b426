import Ground
import Testing

struct CancellationTests {
  private let cancellation = Cancellation()
  private let log = Monitor<[String]>([])

  private func note(_ word: String) { log.withLock { $0.append(word) } }

  @Test func `an action runs beside its body, once, and never after it`() throws {
    let isIn = Monitor(false)
    let thread = try WorkerThread(named: "body") {
      cancellation.during({
        note("action")
        isIn.withLock { $0 = false }
        isIn.signalAll()
      }) {
        isIn.withLock { $0 = true }
        isIn.signalAll()
        _ = isIn.wait { $0 ? nil : true }
        note("body")
      }
    }
    _ = isIn.wait { $0 ? true : nil }
    cancellation.cancel()
    cancellation.cancel()
    thread.join()
    #expect(log.withLock { $0 } == ["action", "body"])
  }

  @Test func `once cancelled it acts at once, and bodies that have ended are left alone`() {
    cancellation.during({ note("early") }) { note("first") }
    cancellation.cancel()
    cancellation.during({ note("action") }) { note("second") }
    #expect(cancellation.isCancelled)
    #expect(log.withLock { $0 } == ["first", "action", "second"])
  }
}
