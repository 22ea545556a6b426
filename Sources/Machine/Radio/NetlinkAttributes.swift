import CLinux

/// Netlink attributes in borrowed memory, found by libnl.
///
/// Valid while that memory is. Malformed attributes never cause a read outside of it.
struct NetlinkAttributes {
  private let nl: clinux_nl
  private let first: UnsafePointer<nlattr>
  private let length: Int32

  /// The attributes that begin at an address and end within a number of bytes.
  init(_ nl: clinux_nl, at first: UnsafeRawPointer, length: Int32) {
    self.nl = nl
    self.first = first.assumingMemoryBound(to: nlattr.self)
    self.length = max(0, length)
  }

  /// The bytes of an attribute; nil if there is none of this type.
  func bytes(_ type: UInt32) -> [UInt8]? {
    payload(of: type).map { Array($0) }
  }

  /// A number in the computer's byte order; nil unless there is one of exactly this size.
  func number<Number: FixedWidthInteger>(_ type: UInt32, as _: Number.Type) -> Number? {
    guard let payload = payload(of: type), payload.count == MemoryLayout<Number>.size else {
      return nil
    }
    return payload.loadUnaligned(as: Number.self)
  }

  /// A text up to its final zero; nil if there is none.
  func text(_ type: UInt32) -> String? {
    bytes(type).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The attributes inside another one.
  func nested(_ type: UInt32) -> NetlinkAttributes? {
    guard let payload = payload(of: type), let start = payload.baseAddress else { return nil }
    return NetlinkAttributes(nl, at: start, length: Int32(clamping: payload.count))
  }

  private func payload(of type: UInt32) -> UnsafeRawBufferPointer? {
    guard let found = nl.attr_find(first, length, Int32(truncatingIfNeeded: type)),
      let start = nl.attr_data(found)
    else { return nil }
    return UnsafeRawBufferPointer(start: start, count: Int(max(0, nl.attr_len(found))))
  }
}
