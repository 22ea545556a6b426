import Ground

extension UpdatableValue {
  /// Keeps this value and `other` equivalent, both ways, until disconnected.
  ///
  /// `other` is set to this value at once if they are not equivalent. A transaction on either side
  /// opens one on the other, and a change that leaves them unequal is copied inside it. Throws
  /// `transactionOpen`, and changes nothing, while either side is in a transaction. To make the
  /// binding last as long as this value, keep the connection beside it.
  public func bind(
    to other: some UpdatableValue<Value>,
    by equivalent: @escaping @Sendable (Value, Value) -> Bool
  ) throws(StreamError) -> Connection {
    for phase in [presentPhase, other.presentPhase] where phase.isOpen || phase.isToldHere {
      throw .transactionOpen
    }
    let binding = Binding(self, other, equivalent)
    binding.connect()
    return Connection { binding.disconnect() }
  }
}

extension UpdatableValue where Value: Equatable {
  /// Keeps this value and `other` equal, both ways, until disconnected.
  public func bind(
    to other: some UpdatableValue<Value>
  ) throws(StreamError) -> Connection {
    try bind(to: other, by: ==)
  }
}

/// Two values that are kept equivalent.
///
/// Events of both sides are handled one at a time. The binding holds open at most one transaction,
/// on the side opposite to the one where it was begun.
private final class Binding<Value: Sendable>: Sendable {
  private enum Side: Sendable {
    case left, right
    var opposite: Side { self == .left ? .right : .left }
  }

  private enum Event: Sendable {
    case begin(Side), change(Side), end(Side), disconnect
  }

  private struct State: Sendable {
    /// The side on which this binding has a transaction open.
    var held: Side?
    /// Until both sides have been made equivalent, neither keeps the other one open.
    var isConnecting = true
    var isClosed = false
    var connections: [Connection] = []
  }

  private let left: any UpdatableValue<Value>
  private let right: any UpdatableValue<Value>
  private let equivalent: @Sendable (Value, Value) -> Bool
  private let events = SerialEventQueue<Event>()
  /// The sides that have a cascade limit of their own.
  private let limited: [any OrderedStream]
  private let state = Lock(State())

  init(
    _ left: any UpdatableValue<Value>, _ right: any UpdatableValue<Value>,
    _ equivalent: @escaping @Sendable (Value, Value) -> Bool
  ) {
    self.left = left
    self.right = right
    limited = [left, right].compactMap { $0 as? any OrderedStream }
    self.equivalent = equivalent
  }

  func connect() {
    left.begin()
    right.begin()
    let connections = [listen(to: .left), listen(to: .right)]
    state.withLock { $0.connections = connections }
    pass(.change(.left))
    _ = right.tryEnd()
    _ = left.tryEnd()
    state.withLock { $0.isConnecting = false }
  }

  func disconnect() {
    let connections = state.withLock { state in
      defer { state.connections = [] }
      return state.connections
    }
    for connection in connections { connection.disconnect() }
    pass(.disconnect)
  }

  private func value(on side: Side) -> any UpdatableValue<Value> {
    side == .left ? left : right
  }

  private func listen(to side: Side) -> Connection {
    value(on: side).updates.subscribe(
      Sink(wantsFinalValue: false) { [weak self] update in
        switch update {
        case .begin: self?.pass(.begin(side))
        case .change: self?.pass(.change(side))
        case .end: self?.pass(.end(side))
        }
      })
  }

  private func pass(_ event: Event) {
    var isChange = false
    if case .change = event {
      isChange = true
      // An exchange between the sides ends at the smaller of their limits.
      if let limit = limited.map(\.cascadeLimit).min() { events.cascadeLimit = limit }
    }
    events.pass(event, counts: isChange, handle)
  }

  private func handle(_ event: Event, hasRoom: Bool) {
    if state.withLock({ $0.isClosed }) { return }
    switch event {
    case .begin(let side): hold(side.opposite)
    case .change(let side):
      // Two values that cannot be made equivalent are left as they are in the end.
      if hasRoom { copy(from: side) }
    case .end(let side):
      release(side.opposite)
      // A transaction that other code still has open on the other side keeps this one open too.
      if value(on: side.opposite).presentPhase.isOpen { hold(side) }
    case .disconnect:
      state.withLock { $0.isClosed = true }
      release(.left)
      release(.right)
    }
  }

  /// Opens a transaction on a side where none is open: a ring of bindings must come to an end.
  private func hold(_ side: Side) {
    let phase = value(on: side).presentPhase
    let isFree = state.withLock { $0.held == nil && !$0.isConnecting }
    guard isFree, !phase.isOpen, !phase.isTold else { return }
    state.withLock { $0.held = side }
    value(on: side).begin()
  }

  private func release(_ side: Side) {
    let isHeld = state.withLock { state in
      guard state.held == side else { return false }
      state.held = nil
      return true
    }
    if isHeld { _ = value(on: side).tryEnd() }
  }

  private func copy(from side: Side) {
    let new = value(on: side).value
    let target = value(on: side.opposite)
    if !equivalent(new, target.value) { target.set(new) }
  }
}
