import Gathering
import Ground
import Synchronization

/// Passes a source's handle to callbacks.
///
/// Usually it is the host's own, borrowed. Where the host gave its last reference back and a reader
/// keeps the source, a handle is made for the time of the callback.
final class HandleLender: HandleLending {
  private struct Reference: Sendable {
    weak var object: SourceObject?
  }

  private let reference = Lock(Reference(), rank: .handle)
  /// The handle of the host; 0 before it has one, and when it has given its last reference back.
  private let handle = Atomic<UInt>(0)

  func serve(_ object: SourceObject) {
    reference.withLock { $0.object = object }
  }

  func begin(_ handle: OpaquePointer) {
    self.handle.store(UInt(bitPattern: handle), ordering: .releasing)
  }

  func end() { handle.store(0, ordering: .releasing) }

  /// Calls with a living handle of the source; not at all once the source has gone.
  ///
  /// The object is not held meanwhile: a thread that gives its last reference back waits for the
  /// callback instead (sources T6).
  func lend(_ body: (OpaquePointer) -> Void) {
    if let handle = OpaquePointer(bitPattern: handle.load(ordering: .acquiring)) {
      return body(handle)
    }
    guard let object = reference.withLock({ $0.object }), let handle = Handles.insert(object)
    else { return }
    body(handle)
    _ = Handles.release(HandleBits(handle))
  }
}
