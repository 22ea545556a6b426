import CGatheredKit
import Gathering
import Glibc
import Values

/// Memory that C texts and bytes borrow: it lives as long as the arena, and goes at once.
final class Arena: @unchecked Sendable {
  // Safe: blocks are added by the one call that fills the arena, before another thread sees it.
  private var blocks: [UnsafeMutableRawPointer] = []
  /// Child dictionaries that values of this arena point to.
  private var children: [OpaquePointer] = []
  /// Whether memory was missing for something since it was last empty.
  private var isShort = false

  deinit { clear() }

  /// Frees everything; whatever borrowed from it is invalid.
  func clear() {
    for block in blocks { free(block) }
    blocks.removeAll(keepingCapacity: true)
    for child in children { _ = Handles.release(HandleBits(child)) }
    children.removeAll(keepingCapacity: true)
    isShort = false
  }

  /// Whether there was memory for everything.
  var isWhole: Bool { !isShort }

  /// Fails with NO_MEMORY when something could not be copied.
  func checkWhole() throws { if isShort { throw Failure.noMemory } }

  /// A NUL-terminated copy of a text.
  func text(_ text: String) -> UnsafePointer<CChar>? {
    keep(heapCopy(of: text)).map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
  }

  /// A copy of bytes, with a NUL behind them.
  func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
    keep(heapCopy(of: bytes))
  }

  /// Keeps a handle the library owns as long as the arena lives.
  func keep(_ handle: OpaquePointer) { children.append(handle) }

  private func keep(_ block: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let block { blocks.append(block) } else { isShort = true }
    return block
  }

  /// A value as C sees it; text, bytes and dictionaries borrow from the arena. NONE where there is
  /// no memory for what it borrows.
  func value(_ value: Value) -> gkit_value {
    var out = gkit_value(plain: value)
    switch value {
    case .string(let string): out.as.string = text(string)
    case .bytes(let bytes):
      out.as.bytes = bytes.withUnsafeBytes { UnsafeRawPointer(copy($0)) }
    case .dictionary, .list:
      let child = DictObject(value, isCounted: false)
      if let handle = Handles.insert(child) {
        keep(handle)
        out.as.dict = handle
      } else {
        isShort = true
      }
    default: return out
    }
    // All pointers of a payload are one: what has none is no value.
    return out.as.string == nil ? gkit_value() : out
  }
}

/// Bytes on the heap of C, with a NUL behind them; nil without memory.
func heapCopy(of bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
  guard let block = malloc(bytes.count + 1) else { return nil }
  if let start = bytes.baseAddress { memcpy(block, start, bytes.count) }
  block.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
  return block
}

/// A text on the heap of C, NUL-terminated; nil without memory.
func heapCopy(of text: String) -> UnsafeMutableRawPointer? {
  var text = text
  return text.withUTF8 { heapCopy(of: UnsafeRawBufferPointer($0)) }
}

/// The same for a text the host shall free.
func heapText(_ text: String) throws -> UnsafeMutablePointer<CChar> {
  guard let copy = heapCopy(of: text) else { throw Failure.noMemory }
  return copy.assumingMemoryBound(to: CChar.self)
}

extension gkit_value {
  /// Type, count and numbers; text, bytes and dictionaries are still NULL.
  init(plain value: Value) {
    self.init()
    type = value.type.rawValue
    switch value {
    case .none, .dictionary, .list: break
    case .bool(let flag): self.as.boolean = flag
    case .int(let number), .time(let number): self.as.integer = number
    case .double(let number): self.as.number = number
    case .vector(let vector):
      count = UInt32(vector.count)
      self.as.vector = (vector.x, vector.y, vector.z ?? 0, vector.w ?? 0)
    case .string(let string): count = UInt32(clamping: string.utf8.count)
    case .bytes(let bytes): count = UInt32(clamping: bytes.count)
    }
  }

  /// A copy that the host owns and clears.
  init(owned value: Value) throws {
    self.init(plain: value)
    switch value {
    case .string(let string): self.as.string = UnsafePointer(try heapText(string))
    case .bytes(let bytes):
      guard let copy = bytes.withUnsafeBytes(heapCopy(of:)) else {
        throw Failure.noMemory
      }
      self.as.bytes = UnsafeRawPointer(copy)
    case .dictionary, .list: self.as.dict = try GatheredKitC.owned(DictObject(value))
    default: break
    }
  }
}
