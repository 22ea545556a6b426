import Glibc

/// A file descriptor that is closed with its last reference.
public final class Descriptor: Sendable {
  /// The descriptor's number; valid while the object lives.
  public let number: Int32

  /// Takes ownership of an open descriptor.
  public init(owning number: Int32) {
    self.number = number
  }

  /// Takes ownership of the result of a CLinux call: a descriptor, or a negative errno, which it
  /// throws.
  public init(answer: Int32, at place: String) throws(SystemError) {
    guard answer >= 0 else { throw SystemError(-answer, at: place) }
    self.number = answer
  }

  deinit {
    close(number)
  }
}
