import CLinux

/// Detects whether the process has forked since the guard was made.
///
/// In a forked child other threads do not exist and locks they held stay locked, so owners of
/// threads or locks check here first. The check is one load, without a system call.
public struct ForkGuard: Sendable {
  private let generation: UInt32

  /// A guard of the present process.
  public init() {
    generation = clinux_fork_generation()
  }

  /// Whether this is a child of the process the guard was made in.
  public var isForked: Bool { clinux_fork_generation() != generation }
}
