/// Passes a source's handle to callbacks.
///
/// Usually it is the host's own, borrowed. Where the host gave its last reference back and a reader
/// keeps the source, a handle is made for the time of the callback.
final class HandleLender: @unchecked Sendable {
  // Safe: the reference is set once, here, and otherwise only falls to nil.
  private weak var object: SourceObject?
  private let bits: HandleBits?

  init(_ object: SourceObject) {
    self.object = object
    bits = object.handle.map(HandleBits.init)
  }

  /// Calls with a living handle of the source; not at all once the source has gone.
  ///
  /// The object is not held meanwhile: a thread that gives its last reference back waits for the
  /// callback instead (sources T6).
  func lend(_ body: (OpaquePointer) -> Void) {
    if let bits, let handle = bits.pointer, Handles.current.object(bits) != nil {
      return body(handle)
    }
    guard let object, let handle = Handles.insert(object) else { return }
    body(handle)
    _ = Handles.release(HandleBits(handle))
  }
}
