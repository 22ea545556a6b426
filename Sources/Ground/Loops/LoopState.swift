/// The work of an event loop, and which of its threads are awake.
struct LoopState {
  /// The work of one round.
  struct Round {
    let jobs: [LoopAction]
    /// The sequence number below which timers belong to it.
    let timerLimit: UInt64
  }

  typealias Ticket = MomentHeap<LoopAction>.Ticket

  var timers = MomentHeap<LoopAction>()
  var jobs: [LoopAction] = []
  var watches: [UInt64: @Sendable (UInt32) -> Void] = [:]
  var nextToken = Poller.firstFreeToken
  /// The moment the kernel's timer is set to; nil once it has fired, whatever the clock shows.
  var armed: Int64?
  /// Whether the loop's thread sleeps or is about to, so that a job has to wake it.
  var isAsleep = false
  /// Whether the partner runs timers, or is about to.
  var isPartnerAwake = false
  var isStopped = false
  var thread: WorkerThread?

  /// Whether a thread will look at the timers before it sleeps.
  var isAwake: Bool { !isAsleep || isPartnerAwake }

  /// Begins a round of the loop's own thread, or of the partner, which runs no jobs.
  mutating func beginRound(takingJobs: Bool) -> Round {
    let taken = takingJobs ? jobs : []
    if takingJobs { jobs = [] }
    return Round(jobs: taken, timerLimit: timers.nextSequence)
  }

  /// Marks the loop as stopped. Returns the work that will never run, to be released outside the
  /// lock.
  mutating func stop() -> LoopState {
    let dropped = self
    timers = MomentHeap()
    jobs = []
    watches = [:]
    isStopped = true
    return dropped
  }
}
