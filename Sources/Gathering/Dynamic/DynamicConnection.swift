import Ground
import Streams

/// One subscription or binding of a dynamic stream; it ends when it is released or ended.
public final class DynamicConnection: Sendable {
  private struct Held: Sendable {
    var connection: Connection?
    var keeper: (any AnyObject & Sendable)?
  }

  private let held: Monitor<Held>
  private let context: Context
  private let ending: UserFunction.Ending?
  private let listener: Listener?

  /// `keeper` lives as long as the connection is open.
  init(
    _ connection: Connection, of function: UserFunction?, in context: Context,
    keeping keeper: (any AnyObject & Sendable)?
  ) {
    held = Monitor(Held(connection: connection, keeper: keeper))
    ending = function?.ending
    listener = function?.listener
    self.context = context
  }

  deinit {
    LockRank.expectNoLock("lets go of a connection")
    end()
  }

  /// Whether further calls may come.
  public var isConnected: Bool {
    if context.isClosed { return false }
    return held.withLock { $0.connection }?.isConnected ?? false
  }

  /// Ends it. When this returns no call begins any more; called outside of callbacks it also waits
  /// for one that is running. Idempotent; any thread.
  public func end() {
    if context.dispatcher.isForked { return }
    ending?.announce()
    _ = listener?.disconnect()
    let former = held.withLock { held in
      defer { held = Held() }
      return held
    }
    former.connection?.disconnect()
    if let listener { context.dispatcher.awaitFinish(of: listener) }
  }
}
