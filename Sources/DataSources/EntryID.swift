import Values

/// What an entry is found by: a text that depends on the id alone (data sources L9, L10).
///
/// A string is its own key text, an integer its decimal digits, anything else its canonical JSON.
/// Two ids are equal when their key texts are the same bytes, and are ordered by them. The empty
/// text is no id: a data source that is asked for it answers `illegalArgument`.
public struct EntryID: Sendable, Hashable, Comparable {
  /// The key text.
  public let key: String

  /// The id with a key text.
  public init(_ key: String) { self.key = key }

  /// The id of a whole number.
  public init(_ number: some BinaryInteger) { key = String(number) }

  /// Whether both have the same key text, byte by byte.
  public static func == (left: EntryID, right: EntryID) -> Bool {
    left.key.isSpelt(right.key)
  }

  /// Whether the left key text comes first in the order of bytes.
  public static func < (left: EntryID, right: EntryID) -> Bool {
    left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
  }

  /// `String` hashes its normal form, which equal bytes share.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension EntryID: ExpressibleByStringLiteral {
  /// The id with a key text.
  public init(stringLiteral key: String) { self.init(key) }
}

extension EntryID: ExpressibleByIntegerLiteral {
  /// The id of a whole number.
  public init(integerLiteral number: Int64) { self.init(number) }
}
