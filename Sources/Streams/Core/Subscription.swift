import Ground
import Synchronization

/// The callbacks of one subscriber.
final class SubscriberCallbacks<Item: Sendable>: Sendable {
  let receive: @Sendable (Item) -> Void
  /// Receives the initial value in place of `receive`, if there is one.
  let receiveInitial: (@Sendable (Item) -> Void)?
  /// Called once, after the last invocation of `receive`.
  let sendFinalValue: (@Sendable () -> Void)?

  init(
    sendFinalValue: (@Sendable () -> Void)? = nil,
    receiveInitial: (@Sendable (Item) -> Void)? = nil,
    _ receive: @escaping @Sendable (Item) -> Void
  ) {
    self.receive = receive
    self.receiveInitial = receiveInitial
    self.sendFinalValue = sendFinalValue
  }
}

/// The owner of a subscription: the stream it keeps alive, which releases it.
protocol SubscriptionOwner<Item>: AnyObject, Sendable {
  associatedtype Item: Sendable
  /// Whether the drain is at this subscriber: inside its sink, or about to look at it.
  func isRunning(_ subscription: Subscription<Item>) -> Bool
  /// Takes it off the list, and detaches from the inputs if it was the last.
  func release(_ subscription: Subscription<Item>)
}

/// One subscriber of one stream. It also decides which thread releases its callbacks.
///
/// There are two candidates: the thread that disconnects it, and the thread that drains the stream
/// and may be inside one of the callbacks at that moment. Neither waits for the other. The drain
/// publishes where it is (`Broadcaster.position`) before it reads `fate`; the disconnecting thread
/// writes `fate` before it reads the position of the drain. All four accesses are sequentially
/// consistent, or separated by the lock of the broadcaster, which both take in between. So at least
/// one thread sees the other, and the exchange to `finished` leaves the callbacks to exactly one.
@usableFromInline
package final class Subscription<Item: Sendable>: Closable {
  enum Fate: UInt8, AtomicRepresentable {
    /// It receives.
    case open
    /// Its callbacks are no longer called, but its stream has not released it yet.
    case closing
    /// The first thread that finds it not running sends its final value and releases the callbacks.
    case closed
    /// That has been done.
    case finished
  }

  private let callbacks: Unmanaged<SubscriberCallbacks<Item>>
  private let fate = Atomic<Fate>(.open)
  private let owner: any SubscriptionOwner<Item>
  /// Where it stands in the subscribers, or -1; guarded by the lock of the stream.
  let slot = Atomic<Int>(-1)
  let hearing: Hearing

  init(
    _ callbacks: SubscriberCallbacks<Item>, hearing: Hearing,
    owner: any SubscriptionOwner<Item>
  ) {
    self.callbacks = .passRetained(callbacks)
    self.hearing = hearing
    self.owner = owner
  }

  deinit {
    LockRank.expectNoLock("lets go of a subscription")
    // Only a subscription that was never closed still holds its callbacks here.
    if fate.load(ordering: .acquiring) != .finished { callbacks.release() }
  }

  @usableFromInline
  package var isOpen: Bool { fate.load(ordering: .sequentiallyConsistent) == .open }

  /// Calls the subscriber unless it is disconnected; only for the drain, positioned here.
  @inline(__always)
  func deliver(_ item: Item) {
    guard isOpen else { return }
    callbacks._withUnsafeGuaranteedRef { $0.receive(item) }
  }

  /// Calls the subscriber with a value for it alone, made on the spot; only for the drain,
  /// positioned here.
  func deliver(madeBy makeItem: () -> Item?) {
    guard isOpen, let item = makeItem(), isOpen else { return }
    callbacks._withUnsafeGuaranteedRef { ($0.receiveInitial ?? $0.receive)(item) }
  }

  @usableFromInline
  package func close() {
    let (isFirst, _) = fate.compareExchange(
      expected: .open, desired: .closing, ordering: .sequentiallyConsistent)
    guard isFirst else { return }
    owner.release(self)
    fate.store(.closed, ordering: .sequentiallyConsistent)
    if !owner.isRunning(self) { finishIfClosed() }
  }

  /// Sends the final value and releases the callbacks, if that is due and not done yet.
  @inline(__always)
  func finishIfClosed() {
    guard fate.load(ordering: .sequentiallyConsistent) != .open else { return }
    finish()
  }

  private func finish() {
    let (isMine, _) = fate.compareExchange(
      expected: .closed, desired: .finished, ordering: .sequentiallyConsistent)
    guard isMine else { return }
    callbacks._withUnsafeGuaranteedRef { $0.sendFinalValue?() }
    callbacks.release()
  }
}
