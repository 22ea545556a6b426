import Ground
import Synchronization

/// What a stream calls on behalf of one subscriber.
final class Receiver<Item: Sendable>: Sendable {
  let receive: @Sendable (Item) -> Void
  /// Gets a greeting in place of `receive`, if there is one.
  let greet: (@Sendable (Item) -> Void)?
  /// Said once, after the last invocation of `receive`.
  let farewell: (@Sendable () -> Void)?

  init(
    farewell: (@Sendable () -> Void)? = nil, greet: (@Sendable (Item) -> Void)? = nil,
    _ receive: @escaping @Sendable (Item) -> Void
  ) {
    self.receive = receive
    self.greet = greet
    self.farewell = farewell
  }
}

/// Where a subscription belongs: the stream it keeps alive, and asks to be let go by.
protocol SubscriptionOwner<Item>: AnyObject, Sendable {
  associatedtype Item: Sendable
  /// Whether the drain is at this subscriber: inside its sink, or about to look at it.
  func isRunning(_ subscription: Subscription<Item>) -> Bool
  /// Takes it off the list, and detaches from the inputs if it was the last.
  func release(_ subscription: Subscription<Item>)
}

/// One subscriber of one stream, and the question who lets its receiver go.
///
/// Two parties may want to: the thread that disconnects it, and the thread that drains the stream
/// and may be inside the receiver at that moment. Neither waits for the other. The drain
/// announces where it is (`Hub.position`) before it looks at `fate`; the disconnecting thread
/// writes `fate` before it looks where the drain is. All four accesses are sequentially
/// consistent, or separated by the lock of the hub, which both take in between; so at least one
/// party sees the other, and the exchange to `finished` leaves the receiver to exactly one.
final class Subscription<Item: Sendable>: Closable {
  enum Fate: UInt8, AtomicRepresentable {
    /// It receives.
    case open
    /// It is entered no more, but its stream has not let it go yet.
    case closing
    /// The first thread that finds it not running says its farewell and releases the receiver.
    case closed
    /// That has been done.
    case finished
  }

  private let receiver: Unmanaged<Receiver<Item>>
  private let fate = Atomic<Fate>(.open)
  private let owner: any SubscriptionOwner<Item>
  /// Where it stands in the roster, or -1; guarded by the lock of the stream.
  let slot = Atomic<Int>(-1)
  let hearsParts: Bool

  init(_ receiver: Receiver<Item>, hearsParts: Bool, owner: any SubscriptionOwner<Item>) {
    self.receiver = .passRetained(receiver)
    self.hearsParts = hearsParts
    self.owner = owner
  }

  deinit {
    LockRank.expectNoLock("lets go of a subscription")
    // Only a subscription that was never closed still holds its receiver here.
    if fate.load(ordering: .acquiring) != .finished { receiver.release() }
  }

  var isOpen: Bool { fate.load(ordering: .sequentiallyConsistent) == .open }

  /// Calls the receiver unless it is disconnected; only for the drain, positioned here.
  @inline(__always)
  func deliver(_ item: Item) {
    guard isOpen else { return }
    receiver._withUnsafeGuaranteedRef { $0.receive(item) }
  }

  /// Calls the receiver with a greeting made on the spot; only for the drain, positioned here.
  func greet(_ makeItem: () -> Item?) {
    guard isOpen, let item = makeItem(), isOpen else { return }
    receiver._withUnsafeGuaranteedRef { ($0.greet ?? $0.receive)(item) }
  }

  func close() {
    let (isFirst, _) = fate.compareExchange(
      expected: .open, desired: .closing, ordering: .sequentiallyConsistent)
    guard isFirst else { return }
    owner.release(self)
    fate.store(.closed, ordering: .sequentiallyConsistent)
    if !owner.isRunning(self) { finishIfClosed() }
  }

  /// Says the farewell and releases the receiver, if that is due and not done yet.
  @inline(__always)
  func finishIfClosed() {
    guard fate.load(ordering: .sequentiallyConsistent) != .open else { return }
    finish()
  }

  private func finish() {
    let (isMine, _) = fate.compareExchange(
      expected: .closed, desired: .finished, ordering: .sequentiallyConsistent)
    guard isMine else { return }
    receiver._withUnsafeGuaranteedRef { $0.farewell?() }
    receiver.release()
  }
}
