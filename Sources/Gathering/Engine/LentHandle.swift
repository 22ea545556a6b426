import Synchronization

/// The handle of a source as the host has it.
package final class LentHandle: Sendable {
  private let bits = Atomic<UInt>(0)

  /// nil before the host has one, and when it has given its last reference back.
  @inline(__always)
  package var pointer: OpaquePointer? { OpaquePointer(bitPattern: bits.load(ordering: .acquiring)) }

  /// Takes over what the host has now.
  package func set(_ handle: OpaquePointer?) {
    bits.store(UInt(bitPattern: handle), ordering: .releasing)
  }
}

/// Passes a handle of a source to functions of the C interface where the host has none.
package protocol HandleLending: AnyObject, Sendable {
  /// Calls with a living handle; not at all once the source has gone.
  func lend(_ body: (OpaquePointer) -> Void)
}
