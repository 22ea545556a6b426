public import CLinux

/// The calling thread's identity.
public enum CurrentThread {
  /// A number no other living thread of the process has; never 0.
  @inlinable
  public static var identity: UInt { UInt(clinux_thread_identity()) }
}
