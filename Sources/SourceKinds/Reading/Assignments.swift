import Gathering

/// Texts of `KEY=VALUE` lines as os-release(5) has them: comments, and values quoted as in a shell.
enum Assignments {
  /// The value of a key with its quoting undone; the last line counts. Nil if there is none.
  static func value(of key: String, in text: ArraySlice<UInt8>) -> [UInt8]? {
    rawValue(of: key, in: text).map(unquoted)
  }

  /// The value of a key as it is written.
  static func rawValue(of key: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let start = Array("\(key)=".utf8)
    var found: ArraySlice<UInt8>?
    for line in Lines(of: text) {
      let line = line.trimmed
      if line.starts(with: start) { found = line.dropFirst(start.count) }
    }
    return found
  }

  /// Shell quoting undone: single quotes keep all, double quotes all but `\` before `"$`\`.
  static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var quote: UInt8?
    var rest = text
    while let byte = rest.popFirst() {
      switch (byte, quote) {
      case (UInt8(ascii: "\\"), nil):
        if let next = rest.popFirst() { bytes.append(next) }
      case (UInt8(ascii: "\\"), UInt8(ascii: "\"")):
        if let next = rest.first, Array("\"$`\\".utf8).contains(next) {
          bytes.append(next)
          rest.removeFirst()
        } else {
          bytes.append(byte)
        }
      case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil): quote = byte
      case (let end, let open?) where end == open: quote = nil
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}
