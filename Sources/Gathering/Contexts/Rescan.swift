import Ground

/// Discovers again once a second, if no changes are reported (sources C4), in the same moment as
/// ticks where there are some, so that one wake-up serves all.
final class Rescan: Cancellable {
  private let state: Monitor<(timer: (any Cancellable)?, isCancelled: Bool)>
  private let loop: any Loop
  /// The moment of a tick that came, whose like come every second; nil without one.
  private let ticks: @Sendable () -> Int64?
  private let look: @Sendable () -> Void

  private static let interval: Int64 = 1_000_000_000

  init(
    on loop: any Loop, besides ticks: @escaping @Sendable () -> Int64?,
    _ look: @escaping @Sendable () -> Void
  ) {
    state = Monitor((nil, false))
    self.loop = loop
    self.ticks = ticks
    self.look = look
    arm(after: loop.clock.now.boot)
  }

  func cancel() {
    let timer = state.withLock { state in
      state.isCancelled = true
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }

  /// Arms the timer for a second after one of its moments, or for the tick next to that.
  private func arm(after last: Int64) {
    let now = loop.clock.now.boot
    let phase = ticks() ?? last
    // At least half a second from now, in whole seconds from the tick.
    let steps = (now - phase + Self.interval / 2 + Self.interval - 1) / Self.interval
    let moment = phase + steps * Self.interval
    let timer = loop.schedule(at: Moment(nanoseconds: moment)) { [weak self] in
      guard let self, self.state.withLock({ !$0.isCancelled }) else { return }
      self.look()
      self.arm(after: moment)
    }
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.timer = timer }
      return state.isCancelled
    }
    if isCancelled { timer.cancel() }
  }
}
