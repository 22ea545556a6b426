import Gathering
import Ground
import Streams
import Values

/// A patch kind at work in its patch: it is called on the loop only, and never under a lock.
final class KindRunner: Sendable {
  private struct Alarm: Sendable {
    var due: Int64
    var connection: Connection?
  }

  private struct State: Sendable {
    /// Nil while it is being called.
    var kind: (any PatchKind)?
    var alarm: Alarm?
    var isAwake = true
  }

  private let state: Lock<State>
  private let isTimed: Bool
  private let outputs: [String]
  private weak let patch: Patch?

  /// Gives a patch the ports of a kind.
  static func install(
    _ kind: any PatchKind, options: PatchOptions, in patch: Patch
  ) throws(PatchError) {
    let runner = KindRunner(kind, in: patch)
    let type = Swift.type(of: kind)
    for port in kind.inputPorts {
      let (name, ignoresNull) = (port.name, type.passesNull && port.isControl)
      let passesNull = type.passesNull && !port.isControl
      try patch.define(input: port) { _, sample in
        if sample.value == .none {
          if ignoresNull { return }
          if passesNull { return runner.passNull() }
        }
        try runner.receive(sample, on: name)
      }
    }
    let received = kind.inputPorts.map(\.name)
    for option in type.options where !option.isFixed {
      let name = option.name
      // An option whose changes publish is received like an input.
      if !received.contains(name) {
        try define(option, of: runner, in: patch)
      }
      if let start = options[name] { try patch.start(name, at: start) }
    }
    for port in kind.outputPorts { try patch.define(output: port) }
    runner.begin()
  }

  private static func define(
    _ option: PortDescription, of runner: KindRunner, in patch: Patch
  ) throws(PatchError) {
    let name = option.name
    try patch.define(input: option) { _, sample in
      if sample.value != .none { try runner.change(name, to: sample.value) }
    }
  }

  private init(_ kind: any PatchKind, in patch: Patch) {
    state = Lock(State(kind: kind), rank: .node)
    isTimed = kind is any TimedPatchKind
    outputs = kind.outputPorts.map(\.name)
    self.patch = patch
  }

  private func begin() {
    if var kind = state.withLock({ $0.kind }) as? any StartingKind, let patch {
      kind.begin { output, payload in try? patch.publish(payload, on: output) }
    }
    guard isTimed, let patch else { return }
    let sleeps = state.withLock { state in
      (state.kind as? any TimedPatchKind).map { type(of: $0).sleepsUnobserved } ?? false
    }
    guard sleeps else { return }
    state.withLock { $0.isAwake = false }
    patch.observe { [weak self] patch in self?.observationChanged(of: patch) }
  }

  // MARK: On the loop

  private func receive(_ sample: Sample, on input: String) throws {
    guard let patch, var kind = take() else { return }
    defer { putBack(kind) }
    try kind.receive(sample, on: input) { output, payload in
      try? patch.publish(payload, on: output)
    }
  }

  private func change(_ option: String, to value: Payload) throws(PatchError) {
    guard var kind = take() else { return }
    defer { putBack(kind) }
    try kind.change(option, to: value)
    guard isTimed, state.withLock({ $0.isAwake }), let patch else { return }
    kind = Self.woken(kind, at: patch.loop.instant.time)
  }

  private static func woken(_ kind: any PatchKind, at now: Int64) -> any PatchKind {
    guard var timed = kind as? any TimedPatchKind else { return kind }
    timed.wakeUp(at: now)
    return timed
  }

  private func passNull() {
    for output in outputs { try? patch?.publish(.none, on: output) }
  }

  private func take() -> (any PatchKind)? { state.withLock { $0.kind.take() } }

  private func putBack(_ kind: any PatchKind) {
    state.withLock { $0.kind = kind }
    if isTimed { arm() }
  }

  // MARK: Times of its own

  private func observationChanged(of patch: Patch) {
    let alarm = state.withLock { state -> Alarm? in
      let isAwake = patch.isObserved
      guard isAwake != state.isAwake else { return nil }
      state.isAwake = isAwake
      return isAwake ? nil : state.alarm.take()
    }
    alarm?.connection?.disconnect()
    guard state.withLock({ $0.isAwake }) else { return }
    act { runner in
      guard let now = runner.patch?.loop.instant.time, let kind = runner.take() else { return }
      runner.putBack(Self.woken(kind, at: now))
    }
  }

  /// Has the clock wake it when it is due, and no earlier wish stands.
  private func arm() {
    let (due, former) = state.withLock { state -> (Int64?, Alarm?) in
      let kind = state.kind as? any TimedPatchKind
      guard let due = kind?.due, state.isAwake else { return (nil, state.alarm.take()) }
      if state.alarm?.due == due { return (nil, nil) }
      defer { state.alarm = Alarm(due: due) }
      return (due, state.alarm)
    }
    former?.connection?.disconnect()
    guard let due, let clock = patch?.loop.clock else { return }
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
    guard alarm != nil, let patch, let kind = take() else { return }
    guard var timed = kind as? any TimedPatchKind else { return putBack(kind) }
    let now = patch.loop.instant
    timed.fire(at: now.time) { output, sample in
      var sample = sample
      if sample.realtime == 0 { sample.realtime = now.realtime &- (now.time &- sample.time) }
      try? patch.publish(sample, on: output)
    }
    putBack(timed)
  }

  /// Does something on the loop.
  private func act(_ action: @escaping @Sendable (KindRunner) -> Void) {
    guard let loop = patch?.loop else { return }
    loop.append {
      .action { [weak self] in
        if let self { action(self) }
      }
    }
    loop.deliver()
  }
}

extension Patch {
  /// Lets an option's input begin with a value, which is no static value of the user's.
  func start(_ input: String, at value: Payload) throws(PatchError) {
    var sample = Sample(value)
    sample.stamp(loop.instant)
    _ = try port(input, .input).core.remember(sample)
  }
}
