import Ground

/// The parts of a context, after its URI was parsed.
struct ContextParts: Sendable {
  let provider: any InstanceProvider
  let loop: any Loop
  /// The loop, if its clock is moved by hand.
  var virtualLoop: VirtualLoop?
  /// The loop, if it has a thread of its own.
  var eventLoop: EventLoop?
  /// The pacer that moves the clock of a replay.
  var pacer: ReplayPacer?
  /// The machine whose instances it has.
  var device = DeviceName.own
}
