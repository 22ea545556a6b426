import CLinux

/// Whether the calling thread is inside a callback of any context. Such a thread never waits for
/// another callback to end, which could be waiting for it.
public enum CallbackDepth {
  /// Whether a callback is running on this thread.
  public static var isInside: Bool { clinux_callback_depth(0) > 0 }
  /// A callback begins on this thread.
  public static func enter() { _ = clinux_callback_depth(1) }
  /// A callback has ended on this thread.
  public static func leave() { _ = clinux_callback_depth(-1) }
}
