import Glibc

/// The calling thread's identity.
public enum CurrentThread {
  /// A number no other living thread of the process has; never 0.
  public static var identity: UInt { UInt(pthread_self()) }
}
