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
  /// The first words of the value in memory: of a text all there are, which it keeps alive.
  let words: (UInt64, UInt64)

  init(_ text: String) {
    value = .string(text)
    words = Self.words(of: value)
    var text = text
    (start, count) = text.withUTF8 { Self.copy(UnsafeRawBufferPointer($0)) }
  }

  init(_ bytes: [UInt8]) {
    value = .bytes(bytes)
    words = Self.words(of: value)
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

  private static func words(of value: Value) -> (UInt64, UInt64) {
    withUnsafeBytes(of: value) { $0.load(as: (UInt64, UInt64).self) }
  }

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

extension UnsafePointer<Outcome> {
  /// The first words of the value of an outcome in memory, read without counting.
  @inline(__always)
  var words: (UInt64, UInt64) {
    let offset = MemoryLayout<Outcome>.offset(of: \.value)!
    return UnsafeRawPointer(self).load(fromByteOffset: offset, as: (UInt64, UInt64).self)
  }

  /// Where the reason of an outcome lies in memory, read without counting; 0 without one.
  @inline(__always)
  var reason: UInt {
    let offset = MemoryLayout<Outcome>.offset(of: \.absence)!
    return UnsafeRawPointer(self).load(fromByteOffset: offset, as: UInt.self)
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
