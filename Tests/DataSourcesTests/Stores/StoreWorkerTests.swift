import DataSources
import Ground
import Streams
import Testing

struct StoreWorkerTests {
  private let workers = StoreWorkers()
  private let log = Monitor<[String]>([])

  private func note(_ word: String) {
    log.withLock { $0.append(word) }
    log.signalAll()
  }

  private func submit(
    to worker: StoreWorker, _ name: String,
    _ body: @escaping @Sendable (Cancellation) throws(DataSourceError) -> Void = { _ in }
  ) {
    worker.submit(nil, body) { [self] result in
      switch result {
      case .success: note("\(name) done")
      case .failure(let error): note("\(name) \(error.code.word)")
      }
    }
  }

  @Test func `C6: the end waits for the job at work, and refuses those behind it`() {
    let worker = StoreWorker(named: "test", among: workers)
    let begun = Monitor(false)
    submit(to: worker, "first") { cancellation in
      begun.withLock { $0 = true }
      begun.signalAll()
      // Only the end lets it go on; what it did before is done.
      let told = Monitor(false)
      let callOff = cancellation.onCancel {
        told.withLock { $0 = true }
        told.signalAll()
      }
      _ = told.wait { $0 ? true : nil }
      callOff()
    }
    submit(to: worker, "second")
    _ = begun.wait { $0 ? true : nil }
    workers.end()
    #expect(log.withLock { $0 } == ["first done", "second cancelled"])
    submit(to: worker, "third")
    #expect(log.withLock { $0 }.last == "third cancelled")
  }

  @Test func `a worker that is made after the end refuses everything`() {
    workers.end()
    submit(to: StoreWorker(named: "test", among: workers), "late")
    #expect(log.withLock { $0 } == ["late cancelled"])
  }

  @Test func `the end may be asked for by a job, and by several threads at once`() throws {
    let worker = StoreWorker(named: "test", among: workers)
    submit(to: worker, "own") { [workers] _ in workers.end() }
    _ = log.wait { $0.isEmpty ? nil : true }
    let threads = try (0..<4).map { _ in
      try WorkerThread(named: "ending") { [workers] in workers.end() }
    }
    for thread in threads { thread.join() }
    #expect(log.withLock { $0 } == ["own done"])
  }

  @Test func `workers that have gone are forgotten`() {
    for number in 0..<100 {
      submit(to: StoreWorker(named: "test", among: workers), "\(number)")
    }
    _ = log.wait { $0.count == 100 ? true : nil }
    workers.end()
    #expect(log.withLock { $0.allSatisfy { $0.hasSuffix("done") } })
  }
}
