import CGatheredKit
import Ground
import Streams
import Synchronization

/// One user function that is called from streams and patches: in turn with the other callbacks of
/// its context, and released exactly once, after the last call.
///
/// Its callers hold it; the function ends with their last reference.
public final class UserFunction: Sendable {
  let listener: Listener
  private let dispatcher: Dispatcher
  private let functions: UserFunctions
  let ending = Ending()
  /// How many calls wait for the loop.
  private let postponed = Atomic<Int>(0)

  /// On which threads it may be called when it has ended: a stream sends the final value to a
  /// subscriber that leaves on one of these.
  ///
  /// An object of its own, for connections: a weak reference to the function would make each retain
  /// of it slow.
  final class Ending: Sendable {
    /// The thread that is ending it.
    private let closer = Atomic<UInt>(0)
    /// The last thread that called it when it had ended.
    private let lastCaller = Atomic<UInt>(0)

    /// The calling thread is about to end it.
    func announce() { closer.store(CurrentThread.identity, ordering: .releasing) }

    /// The calling thread has called it.
    fileprivate func noteCall() {
      lastCaller.store(CurrentThread.identity, ordering: .releasing)
    }

    /// Whether the calling thread is one of these.
    fileprivate var isHere: Bool {
      let here = CurrentThread.identity
      return closer.load(ordering: .acquiring) == here
        || lastCaller.load(ordering: .acquiring) == here
    }
  }

  /// Makes one; `onEnd` runs once, also when the context is closed and this throws.
  public convenience init(
    in context: Context, onEnd: @escaping @Sendable () -> Void
  ) throws(SourceError) {
    try self.init(.event { _ in }, in: context, onEnd: onEnd)
  }

  /// Makes one of a function of C.
  init(
    _ callback: Listener.Callback, in context: Context, onEnd: @escaping @Sendable () -> Void
  ) throws(SourceError) {
    listener = Listener(callback, endsAfterCalls: false, onEnd: onEnd)
    dispatcher = context.dispatcher
    functions = context.userFunctions
    guard functions.add(listener) else { throw context.fork.isForked ? .forked : .closed }
  }

  deinit {
    LockRank.expectNoLock("lets go of a user's function")
    functions.forget(listener)
    // Its objects are released as inside a callback: that must not wait for callbacks.
    CallbackDepth.enter()
    listener.finish()
    CallbackDepth.leave()
    dispatcher.wakeWaiting()
  }

  /// Runs it in turn, unless it has ended; false if the turn was not available.
  @discardableResult
  public func call(_ body: () -> Void) -> Bool {
    defer { if !listener.isConnected { ending.noteCall() } }
    return dispatcher.call(listener, while: { mayRun }, body)
  }

  /// Runs it in turn with a sample, or has the loop do so where the turn must not be waited for.
  func deliver(_ sample: Sample, to receive: @escaping @Sendable (Sample) -> Void) {
    if postponed.load(ordering: .acquiring) == 0, call(receive, sample) { return }
    postpone(sample, to: receive)
  }

  /// The same for a function of C that takes samples, which gets them as they lie there; `receive`
  /// has it called with those that must be made for it.
  @_optimize(speed)
  func deliver(_ sample: Sample, isPlain: Bool, orBy receive: @escaping @Sendable (Sample) -> Void)
  {
    guard case .samples(let function, let userData) = listener.callback, isPlain,
      sample.isWholeRow
    else { return deliver(sample, to: receive) }
    if postponed.load(ordering: .acquiring) == 0,
      call({ sample in sample.lend { function($0, 1, userData) } }, sample)
    {
      return
    }
    postpone(sample, to: receive)
  }

  /// Passes on what a function of C makes of a sample, with its times and flags, unless it drops it
  /// or the turn was not available. `check` reads what it made that is no number.
  @_optimize(speed)
  func transform(
    _ sample: Sample, into sink: Sink<Sample>,
    _ check: (UnsafeMutablePointer<gkit_value>) -> Sample?
  ) {
    guard case .transform(let function, let userData) = listener.callback else { return }
    var value = gkit_value()
    var (isNumber, other) = (false, Sample?.none)
    _ = call(
      { sample in
        guard sample.lend({ function($0, &value, userData) }) else { return }
        isNumber = TypeNumber.isOfOneWord(value.type)
        if !isNumber { other = check(&value) }
      }, sample)
    if isNumber {
      var made = Sample(number: UInt64(bitPattern: value.as.integer), of: value.type)
      made.follow(sample)
      sink.receive(made)
    } else if var other {
      other.follow(sample)
      sink.receive(other)
    }
  }

  /// The same for a sample that must be made for the function, which `body` calls.
  @inline(never)
  func transform(_ sample: Sample, into sink: Sink<Sample>, by body: (Sample) -> Sample?) {
    var made: Sample?
    _ = call({ made = body($0) }, sample)
    guard var made else { return }
    made.follow(sample)
    sink.receive(made)
  }

  /// Runs it in turn with a sample; false if the turn was not available.
  ///
  /// As `call`, but without a closure, which would have a copy of the sample.
  @inline(__always)
  func call(_ receive: (Sample) -> Void, _ sample: Sample) -> Bool {
    let grant = dispatcher.awaitTurn()
    if grant != .refused {
      let outer = dispatcher.approach(listener)
      if mayRun {
        dispatcher.count(1)
        CallbackDepth.enter()
        receive(sample)
        CallbackDepth.leave()
      }
      dispatcher.leave(listener, for: outer)
      if grant == .taken { dispatcher.giveTurn() }
    }
    if !listener.isConnected { ending.noteCall() }
    return grant != .refused
  }

  @inline(never)
  private func postpone(_ sample: Sample, to receive: @escaping @Sendable (Sample) -> Void) {
    postponed.add(1, ordering: .releasing)
    dispatcher.post(
      .run { [weak self] _ in
        guard let self else { return }
        postponed.subtract(1, ordering: .releasing)
        call { receive(sample) }
      })
  }

  @inline(__always)
  private var mayRun: Bool {
    listener.isConnected || ending.isHere && !functions.isOver
  }
}

/// The user functions of a context, which end with it.
final class UserFunctions: Sendable {
  private struct State: Sendable {
    var listeners: [ObjectIdentifier: Listener] = [:]
    var isWatching = false
  }

  private let state = Monitor(State())
  private let over = Atomic<Bool>(false)
  /// How many sends wait for the loop.
  let postponed = Atomic<Int>(0)

  /// Whether the context was closed.
  var isOver: Bool { over.load(ordering: .acquiring) }

  fileprivate func watch(_ context: Context) {
    let isFirst = state.withLock { state in
      defer { state.isWatching = true }
      return !state.isWatching
    }
    guard isFirst else { return }
    let dispatcher = context.dispatcher
    let wish = context.onClose { [weak self] in self?.endAll(on: dispatcher) }
    if wish == nil { over.store(true, ordering: .releasing) }
  }

  fileprivate func add(_ listener: Listener) -> Bool {
    state.withLock { state in
      if isOver { return false }
      state.listeners[ObjectIdentifier(listener)] = listener
      return true
    }
  }

  fileprivate func forget(_ listener: Listener) {
    // The caller holds the listener, so nothing is released under the lock.
    state.withLock { _ = $0.listeners.removeValue(forKey: ObjectIdentifier(listener)) }
  }

  private func endAll(on dispatcher: Dispatcher) {
    let all = state.withLock { state in
      over.store(true, ordering: .releasing)
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in all.values { dispatcher.end(listener) }
  }
}

extension Context {
  /// The functions of users that its streams call.
  var userFunctions: UserFunctions {
    let functions = attachment { UserFunctions() }
    functions.watch(self)
    return functions
  }
}
