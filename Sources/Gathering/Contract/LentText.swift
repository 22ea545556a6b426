import CGatheredKit
import Glibc
import Values

/// A text or bytes that rows point to: a copy with a NUL behind it, which lives as long as this.
final class LentText: @unchecked Sendable {
  // Safe: all is constant, and the copy is freed with the object.

  /// The text or the bytes.
  let value: Value
  /// The copy; nil where there was no memory for it.
  let start: UnsafeMutableRawPointer?
  let count: Int

  init(_ text: String) {
    value = .string(text)
    var text = text
    (start, count) = text.withUTF8 { Self.copy(UnsafeRawBufferPointer($0)) }
  }

  init(_ bytes: [UInt8]) {
    value = .bytes(bytes)
    (start, count) = bytes.withUnsafeBytes(Self.copy)
  }

  /// A text or bytes; nil for all else.
  convenience init?(_ value: Value) {
    switch value {
    case .string(let text): self.init(text)
    case .bytes(let bytes): self.init(bytes)
    default: return nil
    }
  }

  deinit { free(start) }

  private static func copy(
    _ bytes: UnsafeRawBufferPointer
  ) -> (start: UnsafeMutableRawPointer?, count: Int) {
    guard let start = malloc(bytes.count + 1) else { return (nil, 0) }
    if let first = bytes.baseAddress { memcpy(start, first, bytes.count) }
    start.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    return (start, bytes.count)
  }

  /// Whether it has these bytes.
  func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == count, let start, let first = bytes.baseAddress else {
      return bytes.isEmpty && count == 0
    }
    return memcmp(start, first, count) == 0
  }

  /// It as a row has it: a value without a type where there was no memory.
  var row: gkit_value {
    var row = gkit_value()
    guard let start else { return row }
    row.type = value.type.rawValue
    row.count = UInt32(clamping: count)
    row.as.bytes = UnsafeRawPointer(start)
    return row
  }
}

extension String {
  /// Whether both are the same words: a short text, or the same one in memory. Equal texts need not
  /// be.
  @inlinable @inline(__always)
  package func isVery(_ other: String) -> Bool {
    // Safe: two words of each are compared while it lives.
    let own = unsafeBitCast(self, to: (UInt64, UInt64).self)
    return own == unsafeBitCast(other, to: (UInt64, UInt64).self)
  }
}
