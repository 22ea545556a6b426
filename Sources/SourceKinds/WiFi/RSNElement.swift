/// The robust security network element (IEEE 802.11, 9.4.2.24): version, group cipher, pairwise
/// ciphers, key management, capabilities. It may end after any of them.
struct RSNElement {
  /// Suites of four bytes: an organisation and a number. 802.1X where the element names none.
  private(set) var keyManagement: [ArraySlice<UInt8>] = [[0x00, 0x0F, 0xAC, 1]]
  /// Whether management frames must be protected.
  private(set) var requiresProtection = false

  /// Nil for lists that reach over the end.
  init?(_ content: ArraySlice<UInt8>) {
    var rest = content
    guard rest.count >= 2 else { return nil }
    rest = rest.dropFirst(2)
    if rest.isEmpty { return }
    guard rest.count >= 4 else { return nil }
    rest = rest.dropFirst(4)
    if rest.isEmpty { return }
    guard Self.suites(of: &rest) != nil else { return nil }
    if rest.isEmpty { return }
    guard let suites = Self.suites(of: &rest) else { return nil }
    if !suites.isEmpty { keyManagement = suites }
    guard let flags = rest.first else { return }
    requiresProtection = flags & 0x40 != 0
  }

  private static func suites(of rest: inout ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
    guard rest.count >= 2 else { return nil }
    let low = Int(rest[rest.startIndex])
    let count = low | Int(rest[rest.startIndex + 1]) << 8
    rest = rest.dropFirst(2)
    guard count * 4 <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count * 4) }
    return (0..<count).map { rest.dropFirst($0 * 4).prefix(4) }
  }
}
