import Machine

/// How the file of an entry is called (data sources L31).
public enum EntryNaming: Sendable {
  /// By the SHA-256 of the key text, in 64 lower-case hexadecimal digits.
  case sha256
  /// By the key text itself.
  case plain
  /// By a function of the id, which gives different ids different names.
  case custom(@Sendable (EntryID) -> String)

  /// The name of an entry's file. Throws `illegalArgument` for what cannot be one.
  func name(of id: EntryID) throws(DataSourceError) -> String {
    switch self {
    case .sha256: return Self.digits(SHA256.hash(id.key.utf8))
    case .plain: return try Self.checked(id.key)
    case .custom(let name): return try Self.checked(name(id))
    }
  }

  /// Whether a file of that name can be an entry's at all.
  func mayBeName(_ name: String) -> Bool {
    guard case .sha256 = self else { return name.utf8.first != UInt8(ascii: ".") }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
    return name.utf8.count == 64
      && name.utf8.allSatisfy { digits.contains($0) || letters.contains($0) }
  }

  private static func checked(_ name: String) throws(DataSourceError) -> String {
    let isName =
      !name.isEmpty && name.utf8.first != UInt8(ascii: ".") && name.utf8.count <= 255
      && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    if isName { return name }
    throw DataSourceError(.illegalArgument, "the key cannot be the name of a file")
  }

  private static func digits(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
