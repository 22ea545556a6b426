#if DEBUG
  public import CLinux
#endif

/// The order in which a thread takes locks: each new lock has a higher rank than all it holds.
///
/// The turn of a context, which a thread has while it runs callbacks, is not a lock and comes
/// before all of them: no thread waits for a turn while it holds a lock.
@frozen
public enum LockRank: UInt8, Comparable, Sendable {
  /// The wires between the patches of one loop.
  case wiring = 10
  /// Discovery of a machine's instances by a context, and its input and output.
  case discovery = 20
  /// One reading of an instance, and its input and output.
  case reading = 30
  /// The state of a context.
  case context = 40
  /// A device, a daemon or a recording that several parts of a machine share.
  case device = 50
  /// A part of such a device, daemon or recording: a file of a recording or the monitor of libudev.
  case part = 60
  /// A node of a stream or a patch; it accesses its broadcaster.
  case node = 70
  /// The subscribers of a stream, and the values queued for them.
  case broadcaster = 80
  /// The handles of the C interface, and the data borrowed from their objects.
  case handle = 90
  /// Held for a few instructions, with no other lock inside.
  case leaf = 255

  /// In a debug build, ends the process if the calling thread holds a lock.
  ///
  /// Called where host code may run: in the deinit of types that hold a host's functions.
  @inlinable @inline(__always)
  public static func expectNoLock(_ what: StaticString) {
    #if DEBUG
      let name = UnsafeRawPointer(what.utf8Start).assumingMemoryBound(to: CChar.self)
      clinux_check_no_lock(nil, 0, name)
    #endif
  }
}

extension LockRank {
  /// Whether the left rank is taken before the right one.
  @inlinable
  public static func < (one: LockRank, other: LockRank) -> Bool { one.rawValue < other.rawValue }
}
