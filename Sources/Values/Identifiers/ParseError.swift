/// Why a text could not be read, and where.
public struct ParseError: Error, Hashable {
  /// The offset of the first byte that is wrong, from 0; the length of the text when it ends early.
  public var byteOffset: Int

  /// What is wrong, as one clause.
  public var reason: String

  /// An error at an offset.
  public init(byteOffset: Int, reason: String) {
    self.byteOffset = byteOffset
    self.reason = reason
  }
}

extension ParseError: CustomStringConvertible {
  /// `byte N: reason` (C API R8).
  public var description: String { "byte \(byteOffset): \(reason)" }
}
