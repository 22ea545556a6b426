import Ground
import Synchronization

/// The subscriptions of a derived value to its inputs, while it is observed.
///
/// The inputs may deliver on several threads. Their events are handled one at a time, so that the
/// parts and the value computed from them always match. It keeps its node, which it leaves with its
/// last subscriber.
final class InputSubscription<Value: Sendable>: Sendable {
  enum Event: Sendable {
    case open(Derivation<Value>)
    case begin(Input)
    case change(Input, store: @Sendable () -> Void)
    case end(Input)
    /// A transaction of one change.
    case whole(Input, store: @Sendable () -> Void)
  }

  /// One input, as far as transactions go; only events that pass look at it.
  final class Input: Sendable {
    /// Whether it counts, and whether its transaction is open.
    let counts = Atomic<Bool>(true)
    let isOpen = Atomic<Bool>(false)
    /// Whether the cascade had no room for its transaction, so that it is not announced.
    let isSilenced = Atomic<Bool>(false)
    /// Whether a begin has been counted, and with it one change; only its own drain looks at it.
    let isPrepaid = Atomic<Bool>(false)
  }

  private struct State: Sendable {
    var isClosed = false
    /// Kept until the subscriptions are closed.
    var node: DerivedValue<Value>?
    var connections: [ObjectIdentifier: Connection] = [:]
    var retired: [Input] = []
    var compute: (@Sendable () -> Value)?

    /// What to compute, and for whom; nil before it is known, and once it is closed.
    var reported: (DerivedValue<Value>, @Sendable () -> Value)? {
      guard let node, let compute else { return nil }
      return (node, compute)
    }
  }

  private let dependant: Dependant
  private let events = SerialEventQueue<Event>()
  private let state: Lock<State>

  init(of node: DerivedValue<Value>) {
    state = Lock(State(node: node))
    dependant = node.dependant
  }

  /// Attaches to the inputs and gives the node its first value.
  func open(_ derivation: Derivation<Value>) {
    pass(.open(derivation))
  }

  /// Detaches from the inputs.
  func close() {
    let former = state.withLock { state in
      defer { state = State(isClosed: true) }
      return state
    }
    for connection in former.connections.values { connection.disconnect() }
  }

  /// Subscribes to `origin`; the returned cell holds the newest value received.
  ///
  /// `onChange` is called with each new value before the node reports, to switch dependent inputs.
  /// An input that switches others is heard in parts, since theirs may lie within its transaction.
  func subscribe<Part: Sendable>(
    to origin: any ObservableValue<Part>,
    onChange: (@Sendable (Part) -> Void)? = nil
  ) -> LatestInput<Part> {
    let input = Input()
    let cell = LatestInput(origin) { self.retire(input) }
    let sink = Sink<TransactionEvent<ValueChange<Part>>>(wantsFinalValue: false) { update in
      switch update {
      case .begin: self.pass(.begin(input))
      case .change(let change):
        self.pass(
          .change(input) {
            cell.keep(change.new)
            onChange?(change.new)
          })
      case .end: self.pass(.end(input))
      }
    }
    let follower =
      onChange == nil
      ? Follower(sink, as: dependant) { self.inputChanged(input, cell, to: $0) } : Follower(sink)
    let following = origin.startFollowing(follower)
    cell.keep(following.value)
    keep(following.connection, of: input)
    return cell
  }

  private func keep(_ connection: Connection, of input: Input) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.connections[ObjectIdentifier(input)] = connection }
      return state.isClosed
    }
    if isClosed { connection.disconnect() }
  }

  /// Ends the subscription to an input, whose transaction counts until the node has reported the
  /// change.
  private func retire(_ input: Input) {
    input.counts.store(false, ordering: .relaxed)
    let connection = state.withLock { state in
      state.retired.append(input)
      return state.connections.removeValue(forKey: ObjectIdentifier(input))
    }
    connection?.disconnect()
  }

  /// Takes in a transaction of one change.
  private func inputChanged<Part: Sendable>(
    _ input: Input, _ cell: LatestInput<Part>, to new: Part
  ) {
    let isDone = events.runIfIdle {
      take(input, isTold: true) { cell.keep(new) }
    } _: {
      handle($0, hasRoom: $1)
    }
    if !isDone { pass(.whole(input) { cell.keep(new) }) }
  }

  @inline(__always)
  private func take(_ input: Input, isTold: Bool, _ store: () -> Void) {
    guard input.counts.load(ordering: .relaxed),
      let (node, compute) = state.withLock({ $0.reported })
    else { return }
    store()
    node.report(compute(), by: self, isTold: isTold)
  }

  private func pass(_ event: Event) {
    events.pass(event, counts: counts(event), handle)
  }

  /// A begin and the change after it count as one in a cascade, as in the input.
  private func counts(_ event: Event) -> Bool {
    switch event {
    case .begin(let input):
      input.isPrepaid.store(true, ordering: .relaxed)
      return true
    case .change(let input, _):
      return !input.isPrepaid.exchange(false, ordering: .relaxed)
    case .whole: return true
    case .open, .end: return false
    }
  }

  private func handle(_ event: Event, hasRoom: Bool) {
    guard let node = state.withLock({ $0.node }) else { return }
    switch event {
    case .open(let derivation):
      let compute = derivation.attach(self)
      state.withLock { $0.compute = compute }
      node.install(self, compute())
    case .begin(let input):
      guard input.counts.load(ordering: .relaxed) else { return }
      input.isSilenced.store(!hasRoom, ordering: .relaxed)
      if hasRoom, !input.isOpen.exchange(true, ordering: .relaxed) { node.begin(by: self) }
    case .change(let input, let store):
      guard input.counts.load(ordering: .relaxed) else { return }
      store()
      let isTold = hasRoom && !input.isSilenced.load(ordering: .relaxed)
      if let compute = state.withLock({ $0.compute }) {
        node.report(compute(), by: self, isTold: isTold)
      }
      endRetired(on: node)
    case .whole(let input, let store): take(input, isTold: hasRoom, store)
    case .end(let input):
      guard input.counts.load(ordering: .relaxed) else { return }
      if input.isOpen.exchange(false, ordering: .relaxed) { node.end(by: self) }
    }
  }

  private func endRetired(on node: DerivedValue<Value>) {
    let retired = state.withLock { state in
      defer { state.retired = [] }
      return state.retired
    }
    for input in retired where input.isOpen.exchange(false, ordering: .relaxed) {
      node.end(by: self)
    }
  }
}
