package import Ground
import Streams

/// How long a failed call waits before it is tried again.
public struct BackOff: Sendable {
  /// The first pause.
  public var delay: Duration
  /// By how much each pause is longer than the one before; at least 0.
  public var factor: Double
  /// What no pause exceeds; nil for no limit.
  public var maxDelay: Duration?
  /// By which share a pause may be shorter at random, from 0 to 1.
  public var jitter: Double
  /// Where the random numbers begin.
  public var seed: UInt64

  /// No pauses at all.
  public static let none = BackOff(delay: .zero)

  /// Pauses of `delay`, times `factor` from one to the next, up to `maxDelay`.
  public init(
    delay: Duration, factor: Double = 1, maxDelay: Duration? = nil, jitter: Double = 0,
    seed: UInt64 = 0
  ) {
    self.delay = delay
    self.factor = factor
    self.maxDelay = maxDelay
    self.jitter = jitter
    self.seed = seed
  }

  /// The pause after a failed attempt, counted from 1, with a random number from 0 to 1.
  func pause(after attempt: Int, random: Double) -> Duration {
    let limit = Double((maxDelay ?? .nanoseconds(Int64.max / 2)).wholeNanoseconds)
    guard delay > .zero else { return .zero }
    // The factor to the power of the pauses before; beyond all bounds it is infinite.
    var (power, square, rest) = (1.0, factor, max(attempt, 1) - 1)
    while rest > 0 {
      if rest & 1 == 1 { power *= square }
      square *= square
      rest >>= 1
    }
    let length = min(Double(delay.wholeNanoseconds) * power, limit) * (1 - jitter * random)
    return .nanoseconds(Int64(min(length, Double(Int64.max / 2))))
  }

  func checked() throws(DataSourceError) {
    let limit = maxDelay ?? .zero
    guard delay >= .zero, limit >= .zero, factor >= 0, factor.isFinite, (0...1).contains(jitter)
    else { throw DataSourceError(.illegalArgument, "a back-off has no negative time or factor") }
  }
}

/// Whether a failed call is tried again: the error, and how many attempts there were.
public typealias RetryCondition = @Sendable (DataSourceError, Int) -> Bool

extension DataAccess {
  /// The same entries, asked for up to `retries` times more when a call fails (data sources L42).
  package func retrying(
    _ retries: Int, backOff: BackOff, clock: any Clock, if condition: @escaping RetryCondition
  ) throws(DataSourceError) -> DataAccess {
    guard retries >= 0 else {
      throw DataSourceError(.illegalArgument, "the number of retries is not negative")
    }
    try backOff.checked()
    let random = Lock(RandomNumbers(seed: backOff.seed))
    return DataAccess { [perform] call, reply in
      let again: @Sendable (DataSourceError, Int, @escaping @Sendable (Bool) -> Void) -> Void = {
        error, attempt, decide in
        guard error.code != .cancelled, attempt <= retries, condition(error, attempt) else {
          return decide(false)
        }
        let pause = backOff.pause(after: attempt, random: random.withLock { $0.share() })
        Pause.wait(pause, on: clock, call.cancellation, then: decide)
      }
      Attempts(perform: { perform(call, $0) }, again: again, reply: reply).run()
    }
  }
}

/// One call, tried again and again.
private final class Attempts<Value: Sendable>: Sendable {
  private enum Turn { case calling, returned, again }
  private struct State {
    var attempt = 0
    var turn = Turn.calling
  }

  private let perform: @Sendable (@escaping DataAccess<Value>.Reply) -> Void
  private let again: @Sendable (DataSourceError, Int, @escaping @Sendable (Bool) -> Void) -> Void
  private let reply: DataAccess<Value>.Reply
  private let state = Lock(State())

  init(
    perform: @escaping @Sendable (@escaping DataAccess<Value>.Reply) -> Void,
    again:
      @escaping @Sendable (DataSourceError, Int, @escaping @Sendable (Bool) -> Void) -> Void,
    reply: @escaping DataAccess<Value>.Reply
  ) {
    self.perform = perform
    self.again = again
    self.reply = reply
  }

  /// Makes attempts for as long as they are answered at once: many of them must not grow the stack.
  func run() {
    var goesOn = true
    while goesOn {
      state.withLock { state in
        state.attempt += 1
        state.turn = .calling
      }
      perform { self.receive($0) }
      goesOn = state.withLock { state in
        defer { state.turn = .returned }
        return state.turn == .again
      }
    }
  }

  private func receive(_ result: CallResult<Value>) {
    guard case .failure(let error) = result else { return reply(result) }
    again(error, state.withLock { $0.attempt }) { [self] isAgain in
      guard isAgain else { return reply(result) }
      let isInside = state.withLock { state in
        guard state.turn == .calling else { return false }
        state.turn = .again
        return true
      }
      if !isInside { run() }
    }
  }
}
