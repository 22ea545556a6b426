import CLinux
import Glibc

/// A named thread of the library. It blocks all signals, which belong to the host.
public struct WorkerThread: Sendable {
  private let handle: pthread_t

  /// Starts a thread. The name is cut to the 15 bytes Linux shows. Throws EAGAIN when the system
  /// has no thread left.
  public init(
    named name: String, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var handle = pthread_t()
    var all = sigset_t()
    var previous = sigset_t()
    // A new thread inherits the mask: blocked before it exists, no signal ever runs on it.
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &previous)
    let failure = pthread_create(&handle, nil, runThread, start.toOpaque())
    pthread_sigmask(SIG_SETMASK, &previous, nil)
    guard failure == 0 else {
      start.release()
      throw SystemError(failure, at: name)
    }
    self.handle = handle
  }

  /// Whether it is the calling thread.
  public var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

  /// Waits until the thread has ended. Exactly one of `join` and `detach` is called, once.
  public func join() {
    pthread_join(handle, nil)
  }

  /// Detaches the thread, for a thread that cannot wait for itself.
  public func detach() {
    pthread_detach(handle)
  }
}

private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  // Balances the retain of `init`; the thread is the only one to take it.
  let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
  clinux_name_thread(start.name)
  start.body()
  return nil
}
