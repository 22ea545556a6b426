public import Ground

/// A stream that ticks, by a grid or by a custom schedule.
///
/// It is armed only while it has subscribers. A tick is never early; ticks that pass during a
/// delivery are skipped, so there is never a burst. Ticks are sent on the clock's thread.
public final class TimerStream: ValueStream {
  /// One tick of a timer.
  public struct Tick: Hashable, Sendable {
    /// On a grid, the number of the grid point, counted from `start`; else the ticks before it.
    public let index: Int
    /// The moment it was due.
    public let due: Moment

    /// Makes a tick.
    public init(index: Int, due: Moment) {
      self.index = index
      self.due = due
    }
  }

  let broadcaster: Broadcaster<Tick, Void>
  private let clock: any Clock
  private let state: Lock<TimerState>

  /// Makes a timer that is due at `start` and at every whole multiple of `interval` after it.
  ///
  /// An interval below one microsecond counts as one. A start in the past begins at the first
  /// grid point that is not yet past.
  public init(start: Moment, every interval: Duration, clock: any Clock) {
    broadcaster = Broadcaster(cascadeLimit: 100_000, held: ())
    self.clock = clock
    state = Lock(TimerState(schedule: .grid(TimerGrid(start: start, every: interval))), rank: .node)
  }

  /// Makes a timer that calls `next` when it gains its first subscriber, after each tick, and on
  /// `start`.
  ///
  /// Nil means paused until `start`; a past moment means now.
  public init(clock: any Clock, next: @escaping @Sendable () -> Moment?) {
    broadcaster = Broadcaster(cascadeLimit: 100_000, held: ())
    self.clock = clock
    state = Lock(TimerState(schedule: .own(next)), rank: .node)
  }

  /// How many subscriptions are open.
  public var subscriberCount: Int { broadcaster.subscriberCount }

  /// How many values one cascade may have; at least 1.
  public var cascadeLimit: Int {
    get { broadcaster.cascadeLimit }
    set { broadcaster.cascadeLimit = newValue }
  }

  /// Resumes, or asks the schedule again. Without subscribers this takes effect with the first one.
  public func start() {
    perform { $0.start() }
  }

  /// Pauses until `start`; without subscribers this is only remembered.
  public func stop() {
    perform { $0.stop() }
  }

  /// Changes to another grid, which holds at once; ticks are then counted from its start.
  public func setGrid(start: Moment, every interval: Duration) {
    perform { $0.change(to: .grid(TimerGrid(start: start, every: interval))) }
  }

  /// Adds a sink, which receives every tick from now on.
  public func subscribe(_ sink: Sink<Tick>) -> Connection {
    open(SubscriberCallbacks(sink.receive))
  }

  private func perform(_ decide: (inout TimerState) -> TimerState.Action) {
    carryOut(state.withLock { decide(&$0) })
  }

  private func carryOut(_ action: TimerState.Action) {
    switch action {
    case .nothing: break
    case .disarm(let alarm): alarm?.disconnect()
    case .ask(let request, let schedule, let former):
      former?.disconnect()
      let due = schedule.next(now: clock.now, after: request.lastIndex, late: request.isAfterTick)
      guard let due, state.withLock({ $0.mayArm(request) }) else { return }
      let alarm = clock.alarm(at: due) { [weak self] in self?.fire(request, due: due) }
      let unwanted = state.withLock { $0.armed(request, with: alarm) }
      unwanted?.disconnect()
    }
  }

  private func fire(_ request: TimerState.Request, due: Moment) {
    let now = clock.now
    guard let tick = state.withLock({ $0.fire(request, due: due, now: now) }) else { return }
    _ = broadcaster.send(tick)
    perform { $0.delivered() }
  }
}

extension TimerStream: BroadcasterOwner {
  typealias Item = Tick
  typealias Held = Void

  func observationChanged() {
    // The count is read under the lock of the state, so that the later of two threads decides.
    perform { $0.observed(broadcaster.subscriberCount > 0) }
  }
}
