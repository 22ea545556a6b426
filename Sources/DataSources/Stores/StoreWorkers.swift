package import Ground

/// The workers of the stores of one owner, who ends them together: a context, say.
package final class StoreWorkers: Sendable {
  /// Raised at the end: what blocks a worker gives up.
  package let ending = Cancellation()
  private let workers = WeakList<StoreWorker>()

  package init() {}

  /// Interrupts what is at work and can be, refuses what waits as `cancelled`, and returns when no
  /// worker has a thread any more. What was answered as done by then is done, and what was refused
  /// is not and will not be.
  package func end() {
    ending.cancel()
    for worker in workers.objects { worker.end() }
  }

  /// Remembers a worker; false after the end.
  func add(_ worker: StoreWorker) -> Bool {
    workers.add(worker)
    return !ending.isCancelled
  }
}
