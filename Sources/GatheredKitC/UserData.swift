import CGatheredKit
import Synchronization

/// What a registration was given: the pointer of the host and the function that frees it.
///
/// `end` runs `destroy` exactly once, however often and by whomever it is called; letting go of the
/// object does too, so a registration that fails frees it on return.
final class UserData: @unchecked Sendable {
  // Safe: the pointer is only passed back to the host; the host's function says what it may do.
  let pointer: UnsafeMutableRawPointer?
  private let destroy: gkit_destroy_fn?
  private let hasEnded = Atomic<Bool>(false)

  init(_ pointer: UnsafeMutableRawPointer?, _ destroy: gkit_destroy_fn?) {
    self.pointer = pointer
    self.destroy = destroy
  }

  deinit { end() }

  /// Frees what the host gave, once.
  func end() {
    if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { destroy?(pointer) }
  }
}
