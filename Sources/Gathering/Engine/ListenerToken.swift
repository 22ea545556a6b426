import Ground

/// Keeps a listener registered: it ends when the token is released or `end` is called (sources
/// L15).
public final class ListenerToken: Sendable {
  private let listener: Listener
  private let dispatcher: Dispatcher
  private let remove: @Sendable (Listener) -> Void

  init(
    _ listener: Listener, dispatcher: Dispatcher, remove: @escaping @Sendable (Listener) -> Void
  ) {
    self.listener = listener
    self.dispatcher = dispatcher
    self.remove = remove
  }

  deinit {
    LockRank.expectNoLock("lets go of a listener's token")
    end()
  }

  /// Whether further calls may come.
  public var isConnected: Bool { listener.isConnected }

  /// Ends the registration. When it returns no call begins any more; called outside of callbacks it
  /// also waits for one that is running. Idempotent; any thread.
  public func end() {
    if dispatcher.isForked { return }
    remove(listener)
    dispatcher.end(listener)
  }
}
