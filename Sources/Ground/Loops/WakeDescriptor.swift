import CLinux
import Glibc

/// A descriptor that `signal()` makes readable, to wake a thread in poll or epoll.
public final class WakeDescriptor: Sendable {
  private let descriptor: Descriptor

  /// Makes a descriptor that is not readable. Throws EMFILE or ENFILE if there are too many.
  public init() throws(SystemError) {
    descriptor = try Descriptor(answer: clinux_eventfd_create(), at: "eventfd")
  }

  /// The number to poll for readability.
  public var number: Int32 { descriptor.number }

  /// Makes it readable. Any thread, and never blocks.
  public func signal() {
    var one: UInt64 = 1
    // Fails only if its counter is full and it is readable already.
    _ = write(number, &one, MemoryLayout<UInt64>.size)
  }

  /// Makes it unreadable again.
  public func drain() {
    var count: UInt64 = 0
    // Fails with EAGAIN if it is not readable.
    _ = read(number, &count, MemoryLayout<UInt64>.size)
  }
}
