import Ground

/// The state of a timer: whether it is armed, and for which moment. It only makes decisions; its
/// caller carries them out.
struct TimerState: Sendable {
  /// A request to the schedule and the alarm that follows from it; only the newest one counts.
  struct Request: Sendable {
    let number: Int
    let lastIndex: Int
    let isAfterTick: Bool
  }

  enum Action: Sendable {
    case nothing
    case disarm(Connection?)
    /// Cancel `former`, ask the schedule, and set an alarm for the moment it returns.
    case ask(Request, TimerSchedule, former: Connection?)
  }

  private var schedule: TimerSchedule
  private var isObserved = false
  private var isStopped = false
  private var isDelivering = false
  private var alarm: Connection?
  /// The number of the request that counts.
  private var current = 0
  /// The index of the newest tick.
  private var lastIndex = -1

  init(schedule: TimerSchedule) {
    self.schedule = schedule
  }

  mutating func observed(_ isObserved: Bool) -> Action {
    guard isObserved != self.isObserved else { return .nothing }
    self.isObserved = isObserved
    return isObserved ? ask() : disarm()
  }

  mutating func start() -> Action {
    if case .grid = schedule, !isStopped { return .nothing }
    isStopped = false
    return ask()
  }

  mutating func stop() -> Action {
    isStopped = true
    return disarm()
  }

  mutating func change(to schedule: TimerSchedule) -> Action {
    self.schedule = schedule
    lastIndex = -1
    return ask()
  }

  /// Whether the answer to `request` is still wanted.
  func mayArm(_ request: Request) -> Bool {
    request.number == current
  }

  /// Stores the alarm; returns it if it is no longer needed.
  mutating func armed(_ request: Request, with alarm: Connection) -> Connection? {
    guard request.number == current else { return alarm }
    self.alarm = alarm
    return nil
  }

  /// The tick to send now that the alarm for `due` has fired, if it still counts.
  mutating func fire(_ request: Request, due: Moment, now: Moment) -> TimerStream.Tick? {
    guard request.number == current, !isDelivering else { return nil }
    current += 1
    isDelivering = true
    switch schedule {
    case .own:
      lastIndex += 1
      return TimerStream.Tick(index: lastIndex, due: due)
    case .grid(let grid):
      // Late, the newest point stands for all that have passed.
      lastIndex = grid.index(at: max(due, now))
      return TimerStream.Tick(index: lastIndex, due: grid.point(lastIndex) ?? due)
    }
  }

  mutating func delivered() -> Action {
    isDelivering = false
    return ask(isAfterTick: true)
  }

  /// While a tick is being delivered no alarm is set: the end of the delivery asks the schedule.
  private mutating func ask(isAfterTick: Bool = false) -> Action {
    guard isObserved, !isStopped, !isDelivering else { return .nothing }
    current += 1
    let request = Request(number: current, lastIndex: lastIndex, isAfterTick: isAfterTick)
    return .ask(request, schedule, former: alarm.take())
  }

  private mutating func disarm() -> Action {
    current += 1
    return .disarm(alarm.take())
  }
}
