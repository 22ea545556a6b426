import Gathering
import Ground

/// Passes a source's handle to callbacks.
///
/// Usually it is the host's own, borrowed. Where the host gave its last reference back and a reader
/// keeps the source, a handle is made for the time of the callback.
final class HandleLender: HandleLending {
  private struct Reference: Sendable {
    weak var object: SourceObject?
  }

  private let reference = Lock(Reference(), rank: .handle)
  /// The handle of the host.
  private let handle: LentHandle

  init(_ handle: LentHandle) { self.handle = handle }

  /// Takes the source whose last reference the host gave back. It is not taken earlier: an object
  /// with a weak reference is slower to retain and release.
  func serve(_ object: SourceObject) {
    reference.withLock { $0.object = object }
  }

  /// Calls with a living handle of the source; not at all once the source has gone.
  ///
  /// The object is not held meanwhile: a thread that gives its last reference back waits for the
  /// callback instead (sources T6).
  func lend(_ body: (OpaquePointer) -> Void) {
    if let handle = handle.pointer { return body(handle) }
    guard let object = reference.withLock({ $0.object }), let handle = Handles.insert(object)
    else { return }
    body(handle)
    _ = Handles.release(HandleBits(handle))
  }
}
