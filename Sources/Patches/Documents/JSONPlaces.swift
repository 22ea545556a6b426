import Gathering

/// Line and column of a place in a text, counted from 1; columns count characters.
struct TextPlace {
  let line: Int
  let column: Int

  init(offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    line = before.count { $0 == 0x0A } + 1
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    column = before[start...].lenientText.count + 1
  }
}

/// Where the values of a JSON text stand, by their pointers; only for text that was read before.
struct JSONPlaces {
  private let bytes: [UInt8]
  private var position = 0
  private var places: [String: Int] = [:]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The offsets of all values; a member stands where its name begins.
  mutating func all() -> [String: Int] {
    skipSpace()
    places[""] = position
    value("")
    return places
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
      places[inner] = start
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
      places["\(pointer)/\(index)"] = position
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
