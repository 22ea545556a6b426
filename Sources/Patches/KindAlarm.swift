import Gathering
import Ground
import Streams

/// What a kind does at times of its own.
protocol KindTimes: AnyObject, Sendable {
  /// Begins to look at who listens.
  func begin()
  /// Has the clock wake the kind when it is due.
  func arm()
  /// Lets the kind begin anew with a changed option.
  func optionChanged()
}

/// The alarm of a kind that does something at times of its own.
final class KindAlarm<Kind: TimedPatchKind>: KindTimes {
  private struct Alarm: Sendable {
    var due: Int64
    var connection: Connection?
  }

  private struct State: Sendable {
    var alarm: Alarm?
    var isAwake = true
  }

  private let box: KindBox<Kind>
  private let state = Lock(State(), rank: .node)

  init(_ box: KindBox<Kind>) {
    self.box = box
  }

  func begin() {
    guard Kind.sleepsUnobserved, let patch = box.outputs.patch else { return }
    state.withLock { $0.isAwake = false }
    patch.observe { [weak self] patch in self?.observationChanged(of: patch) }
  }

  func optionChanged() {
    if state.withLock({ $0.isAwake }) { wakeUp() }
  }

  private func wakeUp() {
    guard let now = box.outputs.patch?.loop.instant.time else { return }
    _ = box.kind.withClaim { $0.wakeUp(at: now) }
  }

  private func observationChanged(of patch: Patch) {
    let alarm = state.withLock { state -> Alarm? in
      let isAwake = patch.isObserved
      guard isAwake != state.isAwake else { return nil }
      state.isAwake = isAwake
      return isAwake ? nil : state.alarm.take()
    }
    alarm?.connection?.disconnect()
    guard state.withLock({ $0.isAwake }) else { return }
    act { alarm in
      alarm.wakeUp()
      alarm.arm()
    }
  }

  /// Has the clock wake the kind when it is due, and no earlier wish stands.
  func arm() {
    let wish = box.kind.withClaim { $0.due } ?? nil
    let (due, former) = state.withLock { state -> (Int64?, Alarm?) in
      guard let wish, state.isAwake else { return (nil, state.alarm.take()) }
      if state.alarm?.due == wish { return (nil, nil) }
      defer { state.alarm = Alarm(due: wish) }
      return (wish, state.alarm)
    }
    former?.connection?.disconnect()
    guard let due, let clock = box.outputs.patch?.loop.clock else { return }
    let connection = clock.alarm(at: Moment(nanoseconds: due)) { [weak self] in
      self?.act { $0.fire(due) }
    }
    let isLate = state.withLock { state in
      guard state.alarm?.due == due else { return true }
      state.alarm?.connection = connection
      return false
    }
    if isLate { connection.disconnect() }
  }

  private func fire(_ due: Int64) {
    let alarm = state.withLock { state -> Alarm? in
      state.alarm?.due == due && state.isAwake ? state.alarm.take() : nil
    }
    guard alarm != nil, let now = box.outputs.patch?.loop.instant else { return }
    _ = box.kind.withClaim { kind in
      kind.fire(at: now.time) { output, sample in
        var sample = sample
        if sample.realtime == 0 { sample.realtime = now.realtime &- (now.time &- sample.time) }
        box.outputs.publish(sample, on: output)
      }
    }
    arm()
  }

  /// Does something on the loop.
  private func act(_ action: @escaping @Sendable (KindAlarm) -> Void) {
    guard let loop = box.outputs.patch?.loop else { return }
    loop.append(
      .action { [weak self] in
        if let self { action(self) }
      })
    loop.deliver()
  }
}
