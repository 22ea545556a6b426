import CLinux
import Glibc

/// A descriptor that `signal()` makes readable, for waking a thread in poll or epoll.
public final class WakeDescriptor: Sendable {
  private let descriptor: Descriptor

  /// A quiet descriptor. Throws EMFILE or ENFILE when there are too many.
  public init() throws(SystemError) {
    descriptor = try Descriptor(answer: clinux_eventfd_create(), at: "eventfd")
  }

  /// The number to poll for readability.
  public var number: Int32 { descriptor.number }

  /// Makes it readable. Any thread, and never blocks.
  public func signal() {
    var one: UInt64 = 1
    // Fails only when it is readable already to the brim, which is what was wanted.
    _ = write(number, &one, MemoryLayout<UInt64>.size)
  }

  /// Makes it quiet again.
  public func drain() {
    var count: UInt64 = 0
    // Fails with EAGAIN when it is quiet already.
    _ = read(number, &count, MemoryLayout<UInt64>.size)
  }
}
