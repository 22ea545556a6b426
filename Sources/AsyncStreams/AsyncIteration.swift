import Ground
import Streams
import Synchronization

/// One iteration over a stream: its subscription, its buffer, and who waits for a value.
final class AsyncIteration<Value: Sendable>: Sendable {
  private let stream: any ValueStream<Value>
  private let account: AsyncAccount
  private let channel: AsyncChannel<Value>
  private let hasBegun = Atomic<Bool>(false)
  private let connections = Connector()

  init(
    of stream: any ValueStream<Value>, buffering policy: AsyncBuffering, account: AsyncAccount
  ) {
    self.stream = stream
    self.account = account
    channel = AsyncChannel(buffering: policy)
  }

  func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
    if !hasBegun.exchange(true, ordering: .acquiringAndReleasing), !Task.isCancelled { begin() }
    let value = await withTaskCancellationHandler {
      await withUnsafeContinuation { channel.next($0) }
    } onCancel: {
      cancel()
    }
    if value == nil { connections.disconnect() }
    return value
  }

  private func begin() {
    // Neither closure keeps the iteration: releasing it is what ends it.
    account.whenEnded { [channel, weak connections] in
      connections?.disconnect()
      channel.end(dropping: false)
    }.put(into: connections)
    // A stream that closes lets its sinks go, and with this one what they hold.
    let ending = Ending(of: channel)
    stream.subscribe { [ending, account] value in
      if ending.channel.receive(value) {
        account.dropped.add(1, ordering: .sequentiallyConsistent)
      }
    }.put(into: connections)
    if channel.hasEnded { connections.disconnect() }
  }

  private func cancel() {
    connections.disconnect()
    channel.end(dropping: true)
  }
}

/// Ends the iteration when it is let go: when nothing can arrive any more.
private final class Ending<Value: Sendable>: Sendable {
  let channel: AsyncChannel<Value>

  init(of channel: AsyncChannel<Value>) {
    self.channel = channel
  }

  deinit { channel.end(dropping: false) }
}

/// Values on their way from a stream to a task.
private final class AsyncChannel<Value: Sendable>: Sendable {
  private let buffer: Lock<AsyncBuffer<Value>>

  init(buffering policy: AsyncBuffering) {
    buffer = Lock(AsyncBuffer(policy: policy))
  }

  var hasEnded: Bool { buffer.withLock { $0.hasEnded } }

  /// True when a value had to be dropped.
  func receive(_ value: Value) -> Bool {
    switch buffer.withLock({ $0.receive(value) }) {
    case .resume(let task, let value):
      task.resume(returning: value)
      return false
    case .drop: return true
    case .wait: return false
    }
  }

  func next(_ task: UnsafeContinuation<Value?, Never>) {
    if case .resume(let task, let value) = buffer.withLock({ $0.next(task) }) {
      task.resume(returning: value)
    }
  }

  func end(dropping: Bool) {
    let (task, unheard) = buffer.withLock { $0.end(dropping: dropping) }
    task?.resume(returning: nil)
    _ = consume unheard
  }
}

/// What waits: values for the task, or the task for a value. It only decides; its caller acts.
struct AsyncBuffer<Value: Sendable>: Sendable {
  typealias Waiter = UnsafeContinuation<Value?, Never>

  enum Action: Sendable {
    case wait
    case resume(Waiter, Value?)
    /// The value is dropped, for the caller to let go.
    case drop(Value?)
  }

  private let policy: AsyncBuffering
  private var values = FIFO<Value>()
  private var count = 0
  private var waiter: Waiter?
  private(set) var hasEnded = false

  init(policy: AsyncBuffering) {
    self.policy = policy
  }

  mutating func receive(_ value: Value) -> Action {
    if hasEnded { return .wait }
    if let waiter = waiter.take() { return .resume(waiter, value) }
    switch policy {
    case .oldest(let limit) where count >= max(limit, 1):
      return .drop(value)
    case .newest(let limit) where count >= max(limit, 1):
      values.append(value)
      return .drop(values.popFirst())
    case .unbounded, .oldest, .newest:
      values.append(value)
      count += 1
      return .wait
    }
  }

  /// A second task that waits at the same time ends the first one's wait.
  mutating func next(_ task: Waiter) -> Action {
    if let value = values.popFirst() {
      count -= 1
      return .resume(task, value)
    }
    if hasEnded { return .resume(task, nil) }
    let former = waiter
    waiter = task
    return former.map { .resume($0, nil) } ?? .wait
  }

  /// Answers who waits, and what was dropped, to be let go by the caller.
  mutating func end(dropping: Bool) -> (Waiter?, FIFO<Value>) {
    hasEnded = true
    var unheard = FIFO<Value>()
    if dropping {
      swap(&unheard, &values)
      count = 0
    }
    return (waiter.take(), unheard)
  }
}
