import Gathering
import Ground
import Streams
import Synchronization

/// The loop of a context as data sources and futures use it: first in, first out, functions of the
/// host never inside each other, and all of them before the context has been closed.
///
/// A job submitted on the loop outside callbacks has run when `submit` returns.
final class HostLoop: WorkQueue {
  private struct State: Sendable {
    var jobs: [@Sendable () -> Void] = []
    var submitted = 0
    var isClosed = false
    var queue: ContextQueue?
    /// What the end cancels: calls, and futures of the host.
    var calls = Places<RunningCall>()
    var futures = Places<WeakFuture>()
  }

  let context: Context
  private let state = Monitor(State())
  private let ending = Atomic<Bool>(false)
  private let closed = Atomic<Bool>(false)
  /// The thread that runs a job and is not inside a function of the host; else 0.
  private let worker = Atomic<UInt>(0)
  private let calls = Atomic<UInt64>(0)

  init(_ context: Context) { self.context = context }

  /// Whether the caller is a job, and not a function of the host that a job calls.
  var isCurrent: Bool { worker.load(ordering: .acquiring) == CurrentThread.identity }

  /// Whether the calling thread is inside a callback of the context.
  var isInCallback: Bool { context.isCurrent }

  /// Whether waiting here means dispatching: host mode's loop thread, outside callbacks.
  var dispatchesHere: Bool { context.mode == .host && !isInCallback && clock.isLoop }

  /// The loop as a clock; this keeps it.
  var clock: ContextQueue {
    if let queue = state.withLock({ $0.queue }) { return queue }
    let queue = context.queue
    state.withLock { $0.queue = queue }
    return queue
  }

  func submit(_ job: @escaping @Sendable () -> Void) {
    let number = state.withLock { state -> Int? in
      if state.isClosed { return nil }
      state.jobs.append(job)
      state.submitted += 1
      return state.submitted
    }
    // After the end it only tells those who wait: functions of the host are called no more.
    guard let number else { return job() }
    if isInCallback {
      clock.submit { [self] in _ = drain(through: number) }
    } else {
      clock.deliver { [self] in drain(through: number) }
    }
  }

  /// Calls a function of the host, inside a job; false, and it is not called, after the end.
  @discardableResult
  func call(_ body: () -> Void) -> Bool {
    if closed.load(ordering: .acquiring) { return false }
    let outer = worker.exchange(0, ordering: .acquiringAndReleasing)
    calls.add(1, ordering: .relaxed)
    body()
    worker.store(outer, ordering: .releasing)
    return true
  }

  /// Runs the jobs up to a number, in turn; how many functions of the host that has called.
  private func drain(through number: Int) -> UInt64 {
    let jobs = state.withLock { state -> [@Sendable () -> Void] in
      let count = state.jobs.count - (state.submitted - number)
      if count <= 0 { return [] }
      // Usually all of them run. Moved out, the array is not shared with the next job's.
      var jobs: [@Sendable () -> Void] = []
      swap(&jobs, &state.jobs)
      if count < jobs.count {
        state.jobs = Array(jobs[count...])
        jobs.removeLast(jobs.count - count)
      }
      return jobs
    }
    let before = calls.load(ordering: .relaxed)
    for job in jobs {
      let outer = worker.exchange(CurrentThread.identity, ordering: .acquiringAndReleasing)
      job()
      worker.store(outer, ordering: .releasing)
    }
    return calls.load(ordering: .relaxed) &- before
  }

  // MARK: The end

  /// Whether the context is about to be closed: what has not begun does not begin any more.
  var isEnding: Bool { ending.load(ordering: .acquiring) }

  /// Whether the context was closed: nothing pending is cancelled any more.
  var hasEnded: Bool { closed.load(ordering: .acquiring) }

  /// Begins no further call of a data source; those that wait are answered `cancelled`.
  func beginEnd() { ending.store(true, ordering: .releasing) }

  /// Runs what waits on this thread, and returns when no other runs any of it: what a store has
  /// done is told as done.
  func settle() {
    if state.withLock({ $0.submitted == 0 }) { return }
    clock.deliverHere { [self] in drain(through: state.withLock { $0.submitted }) }
  }

  /// Remembers a future that the end cancels; the place is for `forget`.
  func add(_ future: any PendingFuture) -> Int {
    let future = WeakFuture(object: future)
    return state.withLock { $0.futures.add(future) }
  }

  /// Forgets the future at a place, which goes.
  func forget(_ place: Int) {
    let future = state.withLock { $0.futures.remove(at: place) }
    withExtendedLifetime(future) {}
  }

  /// Keeps a call that the end cancels, until it is forgotten.
  func add(_ call: RunningCall) { state.withLock { call.place = $0.calls.add(call) } }

  /// Keeps a call no longer.
  func forget(_ call: RunningCall) {
    let call = state.withLock { $0.calls.remove(at: call.place) }
    withExtendedLifetime(call) {}
  }

  /// Cancels what is pending, and lets those who wait for it hear of it on this thread (C API R17).
  func cancelAll() {
    let (calls, weakly) = state.withLock { ($0.calls.all, $0.futures.all) }
    let futures: [any PendingFuture] = calls + weakly.compactMap(\.object)
    for future in futures.sorted(by: { $0.number < $1.number }) { future.cancelFuture() }
    if state.withLock({ $0.jobs.isEmpty }) { return }
    clock.deliverHere { [self] in drain(through: state.withLock { $0.submitted }) }
  }

  /// Lets go of what still waits, behind the last callback of the context.
  func close() {
    closed.store(true, ordering: .releasing)
    let jobs = state.withLock { state in
      state.isClosed = true
      defer { state.jobs = [] }
      return state.jobs
    }
    for job in jobs { job() }
    cancelAll()
  }
}

/// A future as the loop it waits on knows it.
protocol PendingFuture: AnyObject, Sendable {
  /// The younger of two has the greater one.
  var number: UInt64 { get }
  /// Answers it `cancelled`, unless it has a result.
  func cancelFuture()
}

/// A future that may have gone.
private struct WeakFuture: Sendable {
  weak let object: (any PendingFuture)?
}

/// Things that each have a place until they are removed.
private struct Places<Thing: Sendable>: Sendable {
  private var things: [Thing?] = []
  private var free: [Int] = []

  var all: [Thing] { things.compactMap(\.self) }

  mutating func add(_ thing: Thing) -> Int {
    if let place = free.popLast() {
      things[place] = thing
      return place
    }
    things.append(thing)
    return things.count - 1
  }

  mutating func remove(at place: Int) -> Thing? {
    free.append(place)
    return things[place].take()
  }
}
