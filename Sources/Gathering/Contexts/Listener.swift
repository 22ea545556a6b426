import Ground
import Synchronization
public import Values

/// One registration of a callback.
final class Listener: Sendable {
  enum Callback: Sendable {
    case update(@Sendable (SourceUpdate) -> Void)
    case event(@Sendable (SourceEvent) -> Void)
  }

  let callback: Callback
  /// Whether it calls the host, rather than something of ours that may.
  let isHost: Bool
  private let connected = Atomic<Bool>(true)
  private let finished = Atomic<Bool>(false)
  private let onEnd: @Sendable () -> Void

  /// `onEnd` runs exactly once, after the last call.
  init(_ callback: Callback, isHost: Bool = true, onEnd: @escaping @Sendable () -> Void) {
    self.callback = callback
    self.isHost = isHost
    self.onEnd = onEnd
  }

  deinit {
    LockRank.expectNoLock("lets go of a listener")
    finish()
  }

  var isConnected: Bool { connected.load(ordering: .acquiring) }

  /// Whether the objects of the callback have been released.
  var isFinished: Bool { finished.load(ordering: .acquiring) }

  /// Lets no further call begin. True for the call that ended it.
  func disconnect() -> Bool { connected.exchange(false, ordering: .acquiringAndReleasing) }

  /// Releases the objects of the callback, once.
  func finish() {
    if !finished.exchange(true, ordering: .acquiringAndReleasing) { onEnd() }
  }
}

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

/// Something that happened to a source or an instance (sources 4).
public struct SourceEvent: Sendable {
  /// What happened.
  public enum What: Sendable, Equatable {
    case added
    case removed
    case started
    /// nil: the host requested it.
    case stopped(SourceError?)
    case failedToStart(SourceError)
    case availabilityChanged(Availability)
    case permissionRequested
    /// Rows of a recording that is played cannot be read, or were not recorded.
    case lost(SourceError)
  }

  /// The source or instance concerned.
  public let id: SourceIdentifier
  /// What happened.
  public let what: What
}
