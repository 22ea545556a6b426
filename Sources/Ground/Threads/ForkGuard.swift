import CLinux

/// Knows whether the process has forked since the guard was made.
///
/// In a fork's child other threads are gone and locks they held stay shut, so what owns either
/// asks here first. The question is one load, without a system call.
public struct ForkGuard: Sendable {
  private let generation: UInt32

  /// A guard of the present process.
  public init() {
    generation = clinux_fork_generation()
  }

  /// Whether this is a child of the process the guard was made in.
  public var isForked: Bool { clinux_fork_generation() != generation }
}
