/// What comes in, cut into lines of a bounded length.
struct MessageLines {
  /// A line without its line feed.
  enum Line: Equatable {
    case whole([UInt8])
    /// It was longer than the limit; its bytes are gone.
    case tooLong
  }

  /// The longest line, in bytes.
  static let limit = 1 << 20

  private var line: [UInt8] = []
  private var isTooLong = false

  /// Takes the next bytes; the lines that end in them.
  mutating func add(_ bytes: ArraySlice<UInt8>) -> [Line] {
    var lines: [Line] = []
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      put(rest[..<end])
      lines.append(take())
      rest = rest[(end + 1)...]
    }
    put(rest)
    return lines
  }

  /// The last line, if no line feed ended it.
  mutating func finish() -> Line? { line.isEmpty && !isTooLong ? nil : take() }

  private mutating func put(_ bytes: ArraySlice<UInt8>) {
    isTooLong = isTooLong || line.count + bytes.count > Self.limit
    if isTooLong { line = [] } else { line += bytes }
  }

  private mutating func take() -> Line {
    defer { (line, isTooLong) = ([], false) }
    return isTooLong ? .tooLong : .whole(line)
  }
}
