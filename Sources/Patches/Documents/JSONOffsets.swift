import Gathering
import Values

/// A position in a text: line and column, counted from 1; columns count characters.
struct TextPosition {
  let line: Int
  let column: Int
}

/// Where the lines of a text begin, so that many positions are found in one reading.
struct TextLines {
  private let bytes: [UInt8]
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
  }

  func position(at offset: Int) -> TextPosition {
    let offset = min(offset, bytes.count)
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return TextPosition(line: low + 1, column: bytes[starts[low]..<offset].lenientText.count + 1)
  }
}

/// Where the values of a JSON text stand, by their pointers; only for text that was read before.
struct JSONOffsets {
  private let bytes: [UInt8]
  private var position = 0
  private var offsets: [ExactText: Int] = [:]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The offsets of all values; a member stands where its name begins.
  mutating func all() -> [ExactText: Int] {
    skipSpace()
    offsets[ExactText("")] = position
    value("")
    return offsets
  }

  private mutating func value(_ pointer: String) {
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): members(pointer)
    case UInt8(ascii: "["): items(pointer)
    case UInt8(ascii: "\""): _ = string()
    default:
      while let byte = peek, ![0x2C, 0x5D, 0x7D, 0x20, 0x0A, 0x0D, 0x09].contains(byte) {
        position += 1
      }
    }
  }

  private mutating func members(_ pointer: String) {
    position += 1
    skipSpace()
    while let byte = peek, byte != UInt8(ascii: "}") {
      let start = position
      let inner = "\(pointer)/\(string().escapedForPointer)"
      offsets[ExactText(inner)] = start
      skipSpace()
      position += 1
      value(inner)
      skipComma()
    }
    position += 1
  }

  private mutating func items(_ pointer: String) {
    position += 1
    skipSpace()
    var index = 0
    while let byte = peek, byte != UInt8(ascii: "]") {
      offsets[ExactText("\(pointer)/\(index)")] = position
      value("\(pointer)/\(index)")
      index += 1
      skipComma()
    }
    position += 1
  }

  private mutating func string() -> String {
    let start = position
    position += 1
    while let byte = peek, byte != UInt8(ascii: "\"") {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    position += 1
    let end = min(position, bytes.count)
    return (try? Value(json: bytes[min(start, end)..<end]))?.text ?? ""
  }

  private mutating func skipComma() {
    skipSpace()
    if peek == UInt8(ascii: ",") { position += 1 }
    skipSpace()
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
  }
}
