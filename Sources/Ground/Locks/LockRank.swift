#if DEBUG
  public import CLinux
#endif

/// The order in which a thread takes locks: each of a higher rank than all it holds.
///
/// The turn of a context, which a thread has while it runs callbacks, is no lock and comes before
/// all of them: no thread asks for it with a lock held.
@frozen
public enum LockRank: UInt8, Comparable, Sendable {
  /// How the patches of one loop are wired.
  case wiring = 10
  /// A look of a context at what its machine has, and the input and output of it.
  case discovery = 20
  /// One reading of an instance, and the input and output of it.
  case reading = 30
  /// The decisions of a context.
  case context = 40
  /// A device, a daemon or a recording that several parts of a machine share.
  case device = 50
  /// A part of one of those, as a file of a recording or the monitor of libudev.
  case part = 60
  /// A node of a stream or a patch, which looks at its broadcaster.
  case node = 70
  /// The subscribers of a stream, and what waits to be delivered to them.
  case broadcaster = 80
  /// What C calls an object by, and what was lent of it.
  case handle = 90
  /// Held for a few instructions, with no other lock inside.
  case leaf = 255

  /// Ends the process, in a debug build, when the calling thread holds a lock.
  ///
  /// Said where foreign code may run: by the deinit of what holds functions of a host.
  @inlinable @inline(__always)
  public static func expectNoLock(_ what: StaticString) {
    #if DEBUG
      let name = UnsafeRawPointer(what.utf8Start).assumingMemoryBound(to: CChar.self)
      clinux_check_no_lock(nil, 0, name)
    #endif
  }
}

extension LockRank {
  /// Whether one is taken before the other.
  @inlinable
  public static func < (one: LockRank, other: LockRank) -> Bool { one.rawValue < other.rawValue }
}
