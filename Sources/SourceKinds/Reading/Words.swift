import Gathering
import Values

/// Takes a kernel table apart in place: lines, and words within a line.
struct Words: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  /// The words of a text, separated by spaces and tabs.
  init(of text: ArraySlice<UInt8>) { rest = text }

  mutating func next() -> ArraySlice<UInt8>? {
    var start = rest.startIndex
    let end = rest.endIndex
    while start < end, Self.isSpace(rest[start]) { start += 1 }
    if start == end { return nil }
    var stop = start
    while stop < end, !Self.isSpace(rest[stop]) { stop += 1 }
    defer { rest = rest[stop...] }
    return rest[start..<stop]
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}

/// The lines of a text without their newlines; a missing last newline is no matter.
struct Lines: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  init(of text: ArraySlice<UInt8>) { rest = text }

  mutating func next() -> ArraySlice<UInt8>? {
    if rest.isEmpty { return nil }
    let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
    let line = rest[rest.startIndex..<end]
    rest = rest[Swift.min(end + 1, rest.endIndex)...]
    return line.last == 0x0D ? line.dropLast() : line
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes are those of an ASCII text.
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { elementsEqual($0) }
  }

  /// Whether one of the words separated by commas is this one.
  func hasCommaWord(_ word: StaticString) -> Bool {
    split(separator: UInt8(ascii: ",")).contains { $0.equals(word) }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without white space around them.
  var trimmed: ArraySlice<UInt8> {
    let range = NumberText.trimmed(span)
    return self[(startIndex + range.lowerBound)..<(startIndex + range.upperBound)]
  }
}
