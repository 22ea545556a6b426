/// Takes one line of a script apart: words divided by spaces and tabs, then the rest.
///
/// `#` begins a comment unless it stands between quotes; a quote that never ends is no quote.
struct ScriptLexer {
  private var rest: ArraySlice<UInt8>

  /// The bytes of a line without its newline.
  init(_ line: ArraySlice<UInt8>) {
    rest = Self.withoutComment(line)
    trimStart()
    while let last = rest.last, Self.isSpace(last) { rest.removeLast() }
  }

  /// Whether nothing is left.
  var isEmpty: Bool { rest.isEmpty }

  /// The next word; empty when nothing is left.
  mutating func word() -> ArraySlice<UInt8> {
    let word = rest.prefix { !Self.isSpace($0) }
    rest = rest[word.endIndex...]
    trimStart()
    return word
  }

  /// All that is left, with the spaces in it.
  mutating func remainder() -> ArraySlice<UInt8> {
    defer { rest = rest[rest.endIndex...] }
    return rest
  }

  private mutating func trimStart() {
    rest = rest.drop(while: Self.isSpace)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  private static func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var position = line.startIndex
    while position < line.endIndex {
      switch line[position] {
      case UInt8(ascii: "#"): return line[..<position]
      case UInt8(ascii: "\""): position = endOfQuote(from: position, in: line) ?? position
      default: break
      }
      position += 1
    }
    return line
  }

  /// Where the quote that begins at a position ends; nil when it never does.
  private static func endOfQuote(from start: Int, in line: ArraySlice<UInt8>) -> Int? {
    var position = start + 1
    while position < line.endIndex {
      switch line[position] {
      case UInt8(ascii: "\\"): position += 2
      case UInt8(ascii: "\""): return position
      default: position += 1
      }
    }
    return nil
  }
}
