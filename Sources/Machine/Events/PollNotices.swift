import CLinux
import Glibc
import Ground

/// Reports changes of a file that the kernel announces by POLLPRI: the mount table, and sysfs
/// attributes whose driver calls sysfs_notify.
final class PollNotices: Cancellable {
  private let file: Descriptor
  private let watch = SelfEndingWatch()

  /// Throws EOPNOTSUPP for a file that cannot be polled.
  init(
    _ path: String, on loop: any Loop, _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let file = try RootedFileTree.openHost(path, at: path)
    self.file = file
    // A sysfs attribute announces changes since the last read; without a read it announces one at
    // once.
    guard Self.acknowledge(file) else { throw SystemError(errno, at: path) }
    watch.begin(
      try loop.watch(descriptor: file.number, events: CLINUX_PRIORITY) { [watch] _ in
        // An attribute whose device was removed stays ready for ever: this is its last notice.
        if !Self.acknowledge(file) { watch.cancel() }
        changed()
      })
  }

  func cancel() {
    watch.cancel()
  }

  /// Whether the file could be read; only errors that last count as a no.
  private static func acknowledge(_ file: Descriptor) -> Bool {
    var byte: UInt8 = 0
    return pread(file.number, &byte, 1, 0) >= 0 || (errno != ENODEV && errno != EISDIR)
  }
}

/// A watch that its own action may end, even before its owner has been handed it.
final class SelfEndingWatch: Cancellable {
  private enum State {
    case waiting
    case watching(any Cancellable)
    case ended
  }

  private let state = Monitor(State.waiting)

  func begin(_ watch: any Cancellable) {
    let ended = state.withLock { state in
      if case .ended = state { return true }
      state = .watching(watch)
      return false
    }
    if ended { watch.cancel() }
  }

  func cancel() {
    let watch = state.withLock { state -> (any Cancellable)? in
      defer { state = .ended }
      if case .watching(let watch) = state { return watch }
      return nil
    }
    watch?.cancel()
  }
}
