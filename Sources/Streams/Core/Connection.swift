public import Ground

/// One open subscription, closed by `disconnect` or by releasing the last reference.
///
/// While open it keeps its stream and its sink alive; a stream never keeps a connection. Every call
/// is allowed on any thread, inside sinks too, and after the stream was freed.
public final class Connection: Sendable {
  private struct State {
    var target: (any Closable)?
    /// The bags that hold it; nil until the first does.
    var connectors: WeakList<Connector>?
  }

  private let state: Lock<State>

  package init(closing target: any Closable) {
    state = Lock(State(target: target))
  }

  /// Makes a connection that runs `onDisconnect` once, when it is closed.
  ///
  /// For clocks and streams of one's own; the closure is released after it ran.
  public convenience init(onDisconnect: @escaping @Sendable () -> Void) {
    self.init(closing: ClosingAction(onDisconnect))
  }

  deinit {
    LockRank.expectNoLock("lets go of a connection")
    disconnect()
  }

  /// Whether it has not been disconnected yet.
  public var isConnected: Bool {
    guard let target = state.withLock({ $0.target }) else { return false }
    return target.isOpen
  }

  /// Ends the subscription; harmless when already ended.
  ///
  /// Once it has returned, no invocation of the sink starts; one that is running on another thread
  /// may finish. It never waits.
  public func disconnect() {
    // Every caller closes the target before returning, the loser of a race too: closing is
    // idempotent, and its first step already keeps the sink from being entered.
    guard let target = state.withLock({ $0.target }) else { return }
    target.close()
    let connectors = state.withLock { state in
      // The caller still holds the target.
      state.target = nil
      return state.connectors
    }
    for connector in connectors?.objects ?? [] { connector.forget(self) }
  }

  /// Lets `connector` hold it, and close it with the others.
  public func put(into connector: Connector) {
    connector.add(self)
  }

  /// Records a connector to notify of the disconnection; false if that has already happened.
  func isHeld(by connector: Connector) -> Bool {
    let new = WeakList<Connector>()
    let connectors = state.withLock { state in
      if state.connectors == nil { state.connectors = new }
      return state.connectors ?? new
    }
    connectors.add(connector)
    // A disconnecting call takes the target out first, and then notifies the connectors recorded
    // here.
    return state.withLock { $0.target != nil }
  }
}

extension Clock {
  /// Calls `action` once at `moment`; disconnecting, or releasing the connection, calls it off.
  public func alarm(
    at moment: Moment, _ action: @escaping @Sendable () -> Void
  ) -> Connection {
    let timer = schedule(at: moment, action)
    return Connection { timer.cancel() }
  }
}

/// Something that can be closed once, from any thread.
@usableFromInline
package protocol Closable: AnyObject, Sendable {
  /// Whether it may still be called.
  var isOpen: Bool { get }
  /// Closes it; idempotent.
  func close()
}

/// A closure as something to close.
private final class ClosingAction: Closable {
  private let action: Lock<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = Lock(action)
  }

  var isOpen: Bool { action.withLock { $0 != nil } }

  func close() {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }
}
