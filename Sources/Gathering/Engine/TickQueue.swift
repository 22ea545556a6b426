import Ground

/// When which instances are due, the earliest first, and the timer that waits for it.
struct TickQueue {
  private var waiting = MomentHeap<ProducerState>()
  private var timer: (any Cancellable)?
  /// The moment the timer is set to; `.max` without one.
  private var timerDue: Int64 = .max
  /// Whether the timer has fired, and those that are due are being read: it is set after that.
  private var isFiring = false
  /// What the timer runs, the same each time: setting it takes no memory.
  var onTimer: @Sendable () -> Void = {}

  /// Makes an instance due at a moment; at `.max` it is not due any more.
  mutating func set(_ instance: ProducerState, to moment: Int64) {
    if instance.due == moment { return }
    if instance.due < .max { _ = waiting.remove(instance.ticket) }
    instance.due = moment
    if moment < .max { instance.ticket = waiting.add(instance, at: moment) }
  }

  /// Takes the instance that is due first, if one is by a moment.
  mutating func takeDue(by moment: Int64) -> ProducerState? {
    guard let instance = waiting.takeDue(by: moment) else { return nil }
    instance.due = .max
    return instance
  }

  /// The timer has fired.
  mutating func beginFiring() { (timer, timerDue, isFiring) = (nil, .max, true) }

  /// All that was due has been read.
  mutating func endFiring() { isFiring = false }

  /// Sets the timer to the earliest moment, unless it is set to it. The one before, to be
  /// cancelled outside the lock. After a jump of its clock, `isLost`, the timer is set anew.
  mutating func setTimer(on loop: any Loop, isLost: Bool = false) -> (any Cancellable)? {
    let earliest = waiting.earliest ?? .max
    if isFiring || earliest == timerDue && !isLost { return nil }
    let former = timer
    timerDue = earliest
    timer =
      earliest < .max
      ? loop.schedule(at: Moment(nanoseconds: earliest), onTimer) : nil
    return former
  }

  /// Makes all instances due at no moment; the timer, to be cancelled.
  mutating func takeAll() -> [any Cancellable] {
    while takeDue(by: .max) != nil {}
    defer { (timer, timerDue) = (nil, .max) }
    return timer.map { [$0] } ?? []
  }
}
