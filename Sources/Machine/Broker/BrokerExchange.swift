import Ground

/// What a connection and its thread tell each other.
final class BrokerExchange: Sendable {
  /// What the thread is to do.
  enum Order: Equatable {
    case work
    /// Say farewell when all is acknowledged, at this moment at the latest.
    case close(by: Int64)
    /// Say farewell at once.
    case abandon
  }

  /// Whose calls it makes.
  enum Owner: Sendable {
    /// A user that lives elsewhere, and ends the connection when it goes.
    case elsewhere(WeakUser)
    /// One that the connection's thread makes and keeps.
    case made(@Sendable () -> (any BrokerUser)?)
  }

  private struct State {
    var order = Order.work
    var state = BrokerState.closed
    var thread: UInt?
    var hasStarted = false
    var isOver = false
    /// Whether the farewell was said.
    var isClean = false
  }

  let address: BrokerAddress
  let identity: BrokerIdentity
  let wake: WakeDescriptor
  /// Whether it connects by another id before it connects again.
  let looksFirst: Bool
  let owner: Owner
  private let state = Monitor(State())

  init(
    _ address: BrokerAddress, _ identity: BrokerIdentity, _ owner: Owner,
    _ wake: WakeDescriptor, looksFirst: Bool
  ) {
    self.looksFirst = looksFirst
    self.address = address
    self.identity = identity
    self.owner = owner
    self.wake = wake
  }

  // MARK: For the connection

  var brokerState: BrokerState { state.withLock { $0.state } }

  /// Whether the calling thread is the connection's own.
  var isOwnThread: Bool { state.withLock { $0.thread == CurrentThread.identity } }

  /// Whether it is to be started, which it is once.
  func begin() -> Bool {
    state.withLock { state in
      guard !state.hasStarted, state.order == .work else { return false }
      state.hasStarted = true
      state.state = .connecting
      return true
    }
  }

  /// Gives an order, which may only become stricter.
  func give(_ order: Order) {
    state.withLock { state in
      if state.order != .abandon { state.order = order }
      if !state.hasStarted { state.isOver = true }
    }
    wake.signal()
    state.signalAll()
  }

  /// Waits until the thread is done, or the moment has passed; whether the farewell was said, or
  /// there was no connection.
  func waitForEnd(until moment: Int64) -> Bool {
    state.wait(until: moment) { $0.isOver ? $0.isClean || !$0.hasStarted : nil } ?? false
  }

  // MARK: For the thread

  var order: Order { state.withLock { $0.order } }

  func noteThread() { state.withLock { $0.thread = CurrentThread.identity } }

  func show(_ shown: BrokerState) {
    state.withLock { $0.state = shown }
    state.signalAll()
  }

  func finish(isClean: Bool) {
    state.withLock { state in
      state.state = .closed
      state.isOver = true
      state.isClean = isClean
      state.thread = nil
    }
    state.signalAll()
  }
}

/// A user that is not kept.
struct WeakUser: Sendable {
  weak let user: (any BrokerUser & Sendable)?

  init(_ user: any BrokerUser & Sendable) { self.user = user }
}
