/// An error number of the kernel, and the place it concerns.
public struct SystemError: Error, Equatable, Sendable {
  /// The errno value, never 0.
  public let code: Int32
  /// The path, device or socket concerned.
  public let place: String

  /// An error of a given errno at a place.
  public init(_ code: Int32, at place: String) {
    self.code = code
    self.place = place
  }
}
