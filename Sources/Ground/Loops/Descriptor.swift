import Glibc

/// A file descriptor that is closed with its last reference.
public final class Descriptor: Sendable {
  /// The number the kernel gave; valid as long as the object lives.
  public let number: Int32

  /// Takes over an open descriptor.
  public init(owning number: Int32) {
    self.number = number
  }

  /// Takes over what a call of CLinux answered: a descriptor, or a negative errno.
  public init(answer: Int32, at place: String) throws(SystemError) {
    guard answer >= 0 else { throw SystemError(-answer, at: place) }
    self.number = answer
  }

  deinit {
    close(number)
  }
}
