import Ground
import Synchronization

/// A derived stream shared by all its subscribers, with one subscription to each input.
///
/// It is subscribed to its inputs while it has subscribers. Values that arrive while it subscribes,
/// above all initial values, wait until it is subscribed to all inputs.
final class SharedNode<Value: Sendable>: OrderedStream, BroadcasterOwner {
  typealias Item = Value
  typealias Held = Void

  /// Subscribes to the inputs in order, on behalf of one input subscription.
  typealias Attach = @Sendable (SharedNode, _ epoch: Int) -> [Connection]

  let broadcaster = Broadcaster<Value, Void>(cascadeLimit: 100_000, held: ())
  private let attach: Attach
  private let inputs = Lock(InputSubscriptionState(), rank: .node)
  /// Whether it is subscribed to all inputs, so that values may be delivered.
  private let isReady = Atomic<Bool>(false)
  /// Which input subscription is the present one; written under the lock of the broadcaster.
  private let epoch = Atomic<Int>(0)

  init(attach: @escaping Attach) {
    self.attach = attach
  }

  var subscriberCount: Int { broadcaster.subscriberCount }

  var cascadeLimit: Int {
    get { broadcaster.cascadeLimit }
    set { broadcaster.cascadeLimit = newValue }
  }

  func subscribe(_ sink: Sink<Value>) -> Connection {
    open(SubscriberCallbacks(sink.receive))
  }

  /// A sink for an input, which hands its values on as they are.
  func forwarding(in epoch: Int) -> Sink<Value> {
    Sink(wantsFinalValue: false) { [weak self] value in self?.forward(value, in: epoch) }
  }

  private func forward(_ value: Value, in epoch: Int) {
    // Values that an input still sends for an earlier subscription are dropped.
    guard self.epoch.load(ordering: .acquiring) == epoch else { return }
    if isReady.load(ordering: .sequentiallyConsistent) {
      _ = broadcaster.send(value)
    } else {
      _ = broadcaster.enqueue(value)
      flushIfReady()
    }
  }

  /// Places the value that `decide` returns; it is called under the lock, unless the cascade is
  /// full.
  func place(in epoch: Int, _ decide: () -> Value?) {
    broadcaster.prepare { state, isInside in
      guard self.epoch.load(ordering: .acquiring) == epoch, !state.queue.subscribers.isEmpty,
        let root = state.queue.admit(inside: isInside), let value = decide()
      else { return }
      _ = state.queue.append(value, root: root)
    }
    flushIfReady()
  }

  /// The attaching thread flushes after the node is ready, so one of the two sees the other.
  private func flushIfReady() {
    if isReady.load(ordering: .sequentiallyConsistent) { broadcaster.flush() }
  }

  func observationChanged() {
    while true {
      // The count is read under the lock of the state: of two threads the later one decides.
      switch inputs.withLock({ $0.observed(broadcaster.subscriberCount > 0) }) {
      case .nothing: return
      case .attach:
        let epoch = broadcaster.prepare { _, _ in
          self.epoch.add(1, ordering: .acquiringAndReleasing).newValue
        }
        let connections = attach(self, epoch)
        inputs.withLock { $0.attached(by: connections) }
        isReady.store(true, ordering: .sequentiallyConsistent)
        broadcaster.flush()
      case .detach(let connections):
        isReady.store(false, ordering: .sequentiallyConsistent)
        for connection in connections { connection.disconnect() }
        inputs.withLock { $0.detached() }
      }
    }
  }
}

/// Whether a node hangs on its inputs. It only decides; its caller acts.
///
/// While one thread attaches or detaches, the others leave it to that thread to look again.
struct InputSubscriptionState: Sendable {
  enum Action: Sendable {
    case nothing
    case attach
    case detach([Connection])
  }

  private enum State {
    case detached, changing
    case attached([Connection])
  }

  private var state = State.detached

  mutating func observed(_ isObserved: Bool) -> Action {
    switch (state, isObserved) {
    case (.detached, true):
      state = .changing
      return .attach
    case (.attached(let connections), false):
      state = .changing
      return .detach(connections)
    case (.detached, false), (.attached, true), (.changing, _):
      return .nothing
    }
  }

  mutating func attached(by connections: [Connection]) {
    state = .attached(connections)
  }

  mutating func detached() {
    state = .detached
  }
}
