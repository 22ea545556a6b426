/// Swift source without its comments, the insides of its strings and its names in backticks, line
/// for line. What a string interpolates is code.
struct CodeText {
  private let bytes: [UInt8]
  private var place = 0
  private var code: [UInt8] = []

  /// The lines of code of a text.
  static func lines(of text: String) -> [String] {
    var reader = CodeText(bytes: Array(text.utf8))
    while reader.place < reader.bytes.count { reader.readCode() }
    return String(decoding: reader.code, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads one byte of code, or the comment, string or name that begins there.
  private mutating func readCode() {
    if sees("//") {
      while place < bytes.count, !sees("\n") { place += 1 }
    } else if sees("/*") {
      readComment()
    } else if sees("`") {
      skip(1)
      skip(to: "`")
    } else if let hashes = openingHashes() {
      readString(hashes)
    } else {
      code.append(bytes[place])
      place += 1
    }
  }

  private mutating func readComment() {
    var depth = 0
    repeat {
      if sees("/*") {
        depth += 1
        skip(2)
      } else if sees("*/") {
        depth -= 1
        skip(2)
      } else {
        skip(1)
      }
    } while depth > 0 && place < bytes.count
  }

  /// How many `#` stand before the quote here; nil if no string begins here.
  private func openingHashes() -> Int? {
    let hashes = bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count
    let quote = place + hashes
    return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? hashes : nil
  }

  private mutating func readString(_ hashes: Int) {
    skip(hashes)
    let quotes = sees("\"\"\"") ? "\"\"\"" : "\""
    let marks = String(repeating: "#", count: hashes)
    skip(quotes.utf8.count)
    code += Array("\"\"".utf8)
    while place < bytes.count, !sees(quotes + marks) {
      if sees("\\" + marks + "(") {
        skip(2 + hashes)
        readInterpolation()
      } else {
        skip(sees("\\" + marks) ? 2 + hashes : 1)
      }
    }
    skip(quotes.utf8.count + hashes)
  }

  /// Reads to the parenthesis that closes what is interpolated.
  private mutating func readInterpolation() {
    var depth = 1
    code.append(UInt8(ascii: " "))
    while place < bytes.count {
      if sees("(") { depth += 1 }
      if sees(")") { depth -= 1 }
      if depth == 0 { break }
      readCode()
    }
    skip(1)
    code.append(UInt8(ascii: " "))
  }

  private func sees(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

  private mutating func skip(to text: String) {
    while place < bytes.count, !sees(text) { skip(1) }
    skip(text.utf8.count)
  }

  /// Passes over bytes that are no code; lines stay lines.
  private mutating func skip(_ count: Int) {
    for _ in 0..<count where place < bytes.count {
      if bytes[place] == UInt8(ascii: "\n") { code.append(bytes[place]) }
      place += 1
    }
  }
}
