import Ground

/// Moves the clock of a replay: at a rate, from the moment the first source starts.
///
/// One action of the loop runs at a time, and the next one starts only after everything caused by
/// the last one has been delivered. So no row is dropped at any rate, and deliveries keep the order
/// of the recording.
final class ReplayPacer: Sendable {
  /// The loop whose clock it moves.
  let loop: VirtualLoop
  /// Where the recording begins and ends, as boot times.
  let start: Int64
  let end: Int64
  /// How far rows come ahead of it where it has no pace.
  let lead = ReplayLead()

  fileprivate struct State {
    var rate = 1.0
    /// Nothing has started yet.
    var isHeld = true
    var isStopped = false
    /// Runs an action of the loop.
    var isMoving = false
    /// A caller moves the clock by hand.
    var isTaken = false
    /// The clock stands at the end, and all before it has been delivered.
    var hasEnded = false
    /// Counts the changes that a wait has to check.
    var news: UInt64 = 0
    /// The clock's position at a moment on CLOCK_MONOTONIC.
    var anchor: (position: Int64, moment: Int64) = (0, 0)
  }

  private enum Step {
    case stop
    case lookAgain
    case settle
    case move
  }

  private let state: Monitor<State>
  private let thread = Monitor<(worker: WorkerThread?, identity: UInt)>((nil, 0))

  init(from start: Instant, duration: Int64) {
    self.start = start.boot
    let (end, overflow) = start.boot.addingReportingOverflow(max(duration, 0))
    self.end = overflow ? .max : end
    let state = Monitor(State(), rank: .device)
    self.state = state
    loop = VirtualLoop(clock: VirtualTime(at: start)) {
      state.withLock { $0.news &+= 1 }
      state.signalAll()
    }
  }

  /// Lets the clock run, once: with the first source that starts.
  func begin() {
    let now = Monitor<Void>.moment(after: 0)
    state.withLock { state in
      guard state.isHeld else { return }
      state.isHeld = false
      state.anchor = (loop.clock.now.boot, now)
      state.news &+= 1
    }
    state.signalAll()
  }

  /// How fast the clock runs: 0 stands still, 1 is as it was, infinity as fast as it can.
  var rate: Double {
    get { state.withLock { $0.rate } }
    set {
      let now = Monitor<Void>.moment(after: 0)
      state.withLock { state in
        // The time so far passed at the old rate.
        if state.runs { loop.drift(to: state.position(at: now, end)) }
        state.rate = newValue
        state.anchor = (loop.clock.now.boot, now)
        state.news &+= 1
      }
      state.signalAll()
    }
  }

  /// Nanoseconds from the beginning, between two rows too.
  ///
  /// A clock that runs is at the end only when the last row has been delivered.
  var position: Int64 {
    let now = Monitor<Void>.moment(after: 0)
    let (moment, last) = state.withLock { state in
      state.runs
        ? (state.position(at: now, end), state.hasEnded ? end : max(end &- 1, start))
        : (.min, .max)
    }
    let present = max(loop.clock.now.boot, min(moment, loop.nextDue ?? moment))
    return min(present, last) &- start
  }

  /// Whether the clock goes on as fast as it can, moved by its own thread.
  var hasNoPace: Bool { state.withLock { $0.runs && $0.rate == .infinity && !$0.isStopped } }

  /// Whether the clock stands still until a caller starts or moves it.
  var isPaused: Bool { state.withLock { $0.isHeld || $0.rate == 0 } }

  /// Starts the thread that moves the clock; `move` is called around each action, and `settle`
  /// waits until all that came of it is delivered, or what it is given says that the thread ends.
  func run(
    move: @escaping @Sendable (() -> Void) -> Void = { $0() },
    settle: @escaping @Sendable (() -> Bool) -> Void
  ) throws(SystemError) {
    let worker = try WorkerThread(named: "gkit-replay") { [self] in
      thread.withLock { $0.identity = CurrentThread.identity }
      // The first deliveries of sessions are also completed before the clock moves.
      var isSettled = false
      while moveOn(ifSettled: isSettled, by: move) {
        isSettled.toggle()
        if isSettled { settle { state.withLock { $0.isStopped } } }
      }
    }
    thread.withLock { $0.worker = worker }
  }

  /// Ends the thread. Idempotent.
  func stop() {
    state.withLock { $0.isStopped = true }
    state.signalAll()
    let (worker, identity) = thread.withLock { thread in
      defer { thread.worker = nil }
      return thread
    }
    CurrentThread.identity == identity ? worker?.detach() : worker?.join()
  }

  /// Moves the clock by hand, while the thread leaves it alone.
  func withClock<Answer>(
    _ body: (VirtualLoop) throws(SourceError) -> Answer
  ) throws(SourceError) -> Answer {
    _ = state.wait { state -> Bool? in
      if state.isMoving || state.isTaken { return nil }
      (state.isTaken, state.hasEnded) = (true, false)
      return true
    }
    defer {
      let now = Monitor<Void>.moment(after: 0)
      state.withLock { state in
        state.isTaken = false
        state.anchor = (loop.clock.now.boot, now)
        state.news &+= 1
      }
      state.signalAll()
    }
    return try body(loop)
  }

  /// Waits until something is due, and does it if all before it has been delivered; false when the
  /// thread is to end.
  private func moveOn(ifSettled: Bool, by move: (() -> Void) -> Void) -> Bool {
    var isSettled = ifSettled
    while true {
      let news = state.withLock { $0.news }
      // An action due after the end of the recording, such as a timer, never runs.
      let next = loop.nextDue.flatMap { $0 <= end ? $0 : nil }
      let due = next ?? end
      let isOver = next == nil && loop.clock.now.boot >= end
      let moment = state.withLock { isOver ? nil : $0.moment(of: due) }
      let step: Step? = state.wait(until: moment) { state in
        if state.isStopped { return .stop }
        if state.news != news { return .lookAgain }
        if isOver, state.runs, !state.hasEnded {
          state.hasEnded = isSettled
          return isSettled ? .lookAgain : .settle
        }
        guard state.runs, let moment, moment <= Monitor<Void>.moment(after: 0) else {
          // By then something else may be under way.
          isSettled = false
          return nil
        }
        (state.isMoving, state.hasEnded) = (isSettled, false)
        return isSettled ? .move : .settle
      }
      switch step {
      case .stop: return false
      case .settle: return true
      case .lookAgain, nil: isSettled = false
      case .move:
        move { if !loop.runNext(upTo: due) { loop.drift(to: due) } }
        let now = Monitor<Void>.moment(after: 0)
        state.withLock { state in
          state.isMoving = false
          // Rows that came ahead took the clock along: a new rate counts from there.
          let position = loop.clock.now.boot
          if position > due { state.anchor = (position, now) }
        }
        state.signalAll()
        return true
      }
    }
  }
}

extension ReplayPacer.State {
  fileprivate var runs: Bool { !isHeld && !isTaken && rate > 0 }

  /// The moment on CLOCK_MONOTONIC when a position is reached; nil while the clock stands.
  fileprivate func moment(of position: Int64) -> Int64? {
    guard runs else { return nil }
    let distance = Double(position &- anchor.position) / rate
    guard distance < 9e18 else { return .max }
    let (moment, overflow) = anchor.moment.addingReportingOverflow(Int64(max(distance, 0)))
    return overflow ? .max : moment
  }

  /// The position at a moment; where it is, if the clock stands or runs without pace.
  fileprivate func position(at moment: Int64, _ end: Int64) -> Int64 {
    guard rate > 0, rate.isFinite else { return anchor.position }
    let distance = Double(moment - anchor.moment) * rate
    return min(end, anchor.position &+ Int64(min(max(distance, 0), 4e18)))
  }
}
