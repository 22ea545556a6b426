import Glibc

/// Which file a path leads to at a moment.
public struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// The file at a path; nil when there is none.
  public init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
