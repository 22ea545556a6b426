public import Ground
public import Streams

/// The loop of a context as the work queue and the clock of streams and patches.
///
/// Jobs and timers run where the context's callbacks run, in turn with them. It keeps the context;
/// while it is referenced, `Context.queue` is the same object.
public final class ContextQueue: WorkQueue, Clock {
  /// The context whose loop it is.
  public let context: Context
  /// Closed with the context: its actions are released, whether they ran or not.
  private let alarms = Monitor<[ObjectIdentifier: Alarm]>([:])

  /// Cancels the notification of the context's end.
  private let ending = Monitor<(@Sendable () -> Void)?>(nil)

  fileprivate init(_ context: Context) {
    self.context = context
  }

  deinit { ending.withLock { $0 }?() }

  fileprivate func awaitClose() {
    let ending = context.onClose { [weak self] in self?.close() }
    self.ending.withLock { $0 = ending }
    // If the context was closed meanwhile, nothing calls `close`: alarms set by now would stay.
    if ending == nil { close() }
  }

  /// Whether the calling thread is inside a callback, a job or a timer of the context.
  public var isCurrent: Bool { context.dispatcher.isCurrent }

  /// Whether the calling thread is the loop's, inside a callback or not: in host mode the one that
  /// last dispatched, before that the one that opened the context.
  public var isLoop: Bool { isCurrent || context.dispatcher.isLoop }

  /// Whether the context was closed, or the process forked since it was opened.
  public var isClosed: Bool { context.isClosed }

  /// The present on both clocks that samples carry.
  public var instant: (time: Int64, realtime: Int64) {
    let now = context.now
    return (now.boot, now.realtime)
  }

  /// Runs `job` on the loop, behind all that waits; a closed context drops it.
  public func submit(_ job: @escaping @Sendable () -> Void) {
    let listener = Listener(.event { _ in }, onEnd: {})
    context.dispatcher.post(.run { $0.perform(for: listener, job) })
  }

  /// Runs `job`, which answers how much it did: on the loop's thread before this returns, in turn
  /// with other callbacks; from elsewhere on the loop, later.
  public func deliver(_ job: @escaping @Sendable () -> UInt64) {
    let dispatcher = context.dispatcher
    if dispatcher.isForked { return }
    if dispatcher.isCurrent {
      dispatcher.count(job())
      return
    }
    let listener = Listener(.event { _ in }, onEnd: {})
    let inTurn = Job.run { dispatcher in
      dispatcher.perform(for: listener) {
        // The callback around it counts as one itself.
        dispatcher.count(max(job(), 1) - 1)
      }
    }
    if dispatcher.isLoop {
      dispatcher.settle(through: dispatcher.cause(inTurn))
    } else {
      dispatcher.post(inTurn)
    }
  }

  /// Runs `job` on the calling thread before this returns, in turn with other callbacks.
  ///
  /// Inside a callback of another context, whose turn it could block, the job may not run.
  public func deliverHere(_ job: @escaping @Sendable () -> UInt64) {
    let dispatcher = context.dispatcher
    let listener = Listener(.event { _ in }, onEnd: {})
    let inTurn = Job.run { dispatcher in
      dispatcher.perform(for: listener) { dispatcher.count(max(job(), 1) - 1) }
    }
    dispatcher.settle(through: dispatcher.cause(inTurn))
  }

  /// The present moment of boot time.
  public var now: Moment { context.loop.clock.moment }

  /// Runs `action` on the loop at a moment of boot time; under a manual clock before the clock
  /// moves on.
  public func schedule(
    at moment: Moment, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    if context.fork.isForked { return Alarm {} }
    let alarm = Alarm(action)
    alarms.withLock { $0[ObjectIdentifier(alarm)] = alarm }
    let dispatcher = context.dispatcher
    let timer = context.loop.schedule(at: moment) { [weak self] in
      dispatcher.post(
        .run { [weak self] dispatcher in
          dispatcher.perform(for: alarm.listener) { alarm.fire() }
          self?.forget(alarm)
        })
    }
    // If the context was closed meanwhile, the alarm never fires.
    if context.isClosed {
      alarm.cancel()
      forget(alarm)
    }
    return SetAlarm(timer: timer, alarm: alarm) { [weak self] in self?.forget(alarm) }
  }

  /// Runs `action` once when the context is closed, behind its last callback; nil, and nothing is
  /// run, when it is closed already.
  public func onClose(_ action: @escaping @Sendable () -> Void) -> Connection? {
    context.onClose(action).map { Connection(onDisconnect: $0) }
  }

  fileprivate func close() {
    let dropped = alarms.withLock { alarms in
      defer { alarms = [:] }
      return alarms
    }
    for alarm in dropped.values { alarm.cancel() }
  }

  private func forget(_ alarm: Alarm) {
    // The caller holds the alarm, so nothing is released under the lock.
    alarms.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(alarm)) }
  }
}

extension Context {
  /// Its loop as the work queue and the clock of streams and patches.
  public var queue: ContextQueue {
    let current = attachment { CurrentQueue() }
    let (queue, isNew) = current.queue(of: self)
    if isNew { queue.awaitClose() }
    return queue
  }
}

/// Where a context finds the queue that is in use, which keeps the context in its turn.
private final class CurrentQueue: Sendable {
  private struct Reference: Sendable {
    weak var queue: ContextQueue?
  }

  private let reference = Monitor(Reference())

  func queue(of context: Context) -> (ContextQueue, isNew: Bool) {
    let new = ContextQueue(context)
    return reference.withLock { reference in
      if let queue = reference.queue { return (queue, false) }
      reference.queue = new
      return (new, true)
    }
  }
}

/// A scheduled action, which is released when it has run or can no longer run.
private final class Alarm: Cancellable {
  let listener = Listener(.event { _ in }, isHost: false, onEnd: {})
  private let action: Monitor<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = Monitor(action)
  }

  func fire() { take()?() }

  func cancel() {
    _ = listener.disconnect()
    _ = take()
  }

  private func take() -> (@Sendable () -> Void)? {
    action.withLock { action in
      defer { action = nil }
      return action
    }
  }
}

/// An alarm of a context's queue, with the timer it waits for.
private struct SetAlarm: Cancellable {
  let timer: any Cancellable
  let alarm: Alarm
  let forget: @Sendable () -> Void

  func cancel() {
    timer.cancel()
    alarm.cancel()
    forget()
  }
}
