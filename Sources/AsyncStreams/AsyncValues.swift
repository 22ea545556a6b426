public import Streams
import Synchronization

extension ValueStream {
  /// The values as an asynchronous sequence.
  ///
  /// Each iteration is one subscription, from its first `next` to its end. Values wait in the
  /// iteration's buffer; the newest 1024 of them unless told otherwise.
  public func asyncValues(
    buffering policy: AsyncBuffering = .newest(1024)
  ) -> AsyncValues<Value> {
    AsyncValues(of: self, buffering: policy)
  }
}

/// What becomes of values that arrive faster than an iteration asks for them.
///
/// A number below 1 counts as 1.
public enum AsyncBuffering: Hashable, Sendable {
  /// All wait.
  case unbounded
  /// The newest ones wait: one too many drops the oldest.
  case newest(Int)
  /// The oldest ones wait: one too many is dropped itself.
  case oldest(Int)
}

/// The values of a stream, to be awaited one after another.
///
/// Cancelling the task that iterates disconnects its subscription and ends the iteration. Every
/// call is allowed on any thread.
public struct AsyncValues<Value: Sendable>: AsyncSequence, Sendable {
  /// What is awaited.
  public typealias Element = Value
  /// A stream does not fail.
  public typealias Failure = Never

  private let stream: any ValueStream<Value>
  private let policy: AsyncBuffering
  private let account = AsyncAccount()

  init(of stream: any ValueStream<Value>, buffering policy: AsyncBuffering) {
    self.stream = stream
    self.policy = policy
  }

  /// How many values the buffers of all its iterations have dropped so far.
  public var droppedCount: Int { account.dropped.load(ordering: .sequentiallyConsistent) }

  /// Ends every iteration, those that are still to begin included.
  ///
  /// What waits in a buffer is handed out first.
  public func end() { account.end() }

  /// Begins an iteration; it subscribes when it is first asked for a value.
  public func makeAsyncIterator() -> Iterator {
    Iterator(iteration: AsyncIteration(of: stream, buffering: policy, account: account))
  }

  /// One iteration; releasing it disconnects its subscription.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let iteration: AsyncIteration<Value>

    /// The next value; nil when the iteration has ended or its task has been cancelled.
    public mutating func next() async -> Value? { await iteration.next() }

    /// The next value, without leaving the actor that asks.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await iteration.next(isolation: actor)
    }
  }
}

/// What the iterations of a sequence have in common.
final class AsyncAccount: Sendable {
  let dropped = Atomic<Int>(0)
  private let ending = Signal<Void>()
  private let hasEnded = Atomic<Bool>(false)

  /// Calls `action` when the sequence ends, at once if it has.
  func whenEnded(_ action: @escaping @Sendable () -> Void) -> Connection {
    let connection = ending.subscribe { action() }
    if hasEnded.load(ordering: .sequentiallyConsistent) { action() }
    return connection
  }

  func end() {
    hasEnded.store(true, ordering: .sequentiallyConsistent)
    ending.send(())
  }
}
