import CGatheredKit
import Gathering
import Glibc

/// Memory that C texts and bytes borrow: it lives as long as the arena, and goes at once.
final class Arena: @unchecked Sendable {
  // Safe: blocks are added by the one call that fills the arena, before anybody else sees it.
  private var blocks: [UnsafeMutableRawPointer] = []
  /// Child dictionaries that values of this arena point to.
  private var children: [OpaquePointer] = []

  deinit { clear() }

  /// Frees everything; whatever borrowed from it is invalid.
  func clear() {
    for block in blocks { free(block) }
    blocks.removeAll(keepingCapacity: true)
    for child in children { _ = Handles.current.release(HandleBits(UInt(bitPattern: child))) }
    children.removeAll()
  }

  /// A NUL-terminated copy of a text.
  func text(_ text: String) -> UnsafePointer<CChar>? {
    var text = text
    return text.withUTF8 { bytes in copy(UnsafeRawBufferPointer(bytes)) }
      .map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
  }

  /// A copy of bytes, with a NUL behind them.
  func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
    guard let block = malloc(bytes.count + 1) else { return nil }
    if let start = bytes.baseAddress { memcpy(block, start, bytes.count) }
    block.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    blocks.append(block)
    return block
  }

  /// Keeps a handle the library owns as long as the arena lives.
  func keep(_ handle: OpaquePointer) { children.append(handle) }

  /// A value as C sees it; text, bytes and dictionaries borrow from the arena.
  func value(_ value: Value) -> gkit_value {
    var out = gkit_value()
    out.type = value.type.rawValue
    switch value {
    case .none: break
    case .bool(let flag): out.as.boolean = flag
    case .int(let number), .time(let number): out.as.integer = number
    case .double(let number): out.as.number = number
    case .vector(let vector):
      out.count = UInt32(vector.count)
      out.as.vector = (vector[0] ?? 0, vector[1] ?? 0, vector[2] ?? 0, vector[3] ?? 0)
    case .string(let string):
      out.count = UInt32(clamping: string.utf8.count)
      out.as.string = text(string)
    case .bytes(let bytes):
      out.count = UInt32(clamping: bytes.count)
      out.as.bytes = bytes.withUnsafeBytes { UnsafeRawPointer(copy($0)) }
    case .dictionary, .list:
      let child = DictObject(value, isCounted: false)
      if let handle = Handles.current.insert(child) {
        keep(handle)
        out.as.dict = handle
      }
    }
    return out
  }
}
