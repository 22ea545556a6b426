import CGatheredKit
import Ground
import Synchronization

/// What a registration was given: the pointer of the host and the function that frees it.
///
/// `end` runs `destroy` exactly once, however often and by whomever it is called, and not before
/// the calls at work have returned; letting go of the object does too, so a registration that fails
/// frees it on return.
final class UserData: @unchecked Sendable {
  // Safe: the pointer is only passed back to the host; the host's function says what it may do.
  let pointer: UnsafeMutableRawPointer?
  private let destroy: gkit_destroy_fn?
  /// How many calls are at work, twice, and 1 once it has ended.
  private let state = Atomic<Int>(0)

  init(_ pointer: UnsafeMutableRawPointer?, _ destroy: gkit_destroy_fn?) {
    self.pointer = pointer
    self.destroy = destroy
  }

  deinit {
    LockRank.expectNoLock("lets go of a host's data")
    end()
  }

  /// Frees what the host gave, once: now, or after the last call that is at work.
  func end() {
    if state.bitwiseOr(1, ordering: .acquiringAndReleasing).oldValue == 0 { free() }
  }

  /// Calls a function of the host; false, and it is not called, after the end.
  @discardableResult
  func use(_ body: () -> Void) -> Bool {
    var now = state.load(ordering: .acquiring)
    while true {
      if now & 1 == 1 { return false }
      let (isDone, original) = state.weakCompareExchange(
        expected: now, desired: now + 2, ordering: .acquiringAndReleasing)
      if isDone { break }
      now = original
    }
    body()
    if state.subtract(2, ordering: .acquiringAndReleasing).newValue == 1 { free() }
    return true
  }

  private func free() {
    // It may wait for threads that are to be woken.
    Wakes.send()
    destroy?(pointer)
  }
}
