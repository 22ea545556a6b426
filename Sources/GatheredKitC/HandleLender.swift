/// Lends a source's handle to callbacks: valid until the callback returns, even if the host gives
/// its last reference back inside, or gave it back before and a reader keeps the source.
final class HandleLender: @unchecked Sendable {
  // Safe: the reference is set once, here, and otherwise only falls to nil.
  private weak var object: SourceObject?

  init(_ object: SourceObject) { self.object = object }

  /// Calls with a living handle of the source; not at all once the source has gone.
  func lend(_ body: (OpaquePointer) -> Void) {
    guard let object, let lent = take(object) else { return }
    body(lent)
    _ = Handles.release(HandleBits(lent))
  }

  private func take(_ object: SourceObject) -> OpaquePointer? {
    if let known = object.handle, Handles.current.retain(HandleBits(known)) { return known }
    return Handles.insert(object)
  }
}
