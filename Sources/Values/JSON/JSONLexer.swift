/// The tokens of JSON: white space, strings, numbers, words.
struct JSONLexer {
  private let bytes: [UInt8]

  /// The offset of the next byte.
  private(set) var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  mutating func advance() {
    position += 1
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func skipWhiteSpace() {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  func failure(_ reason: String) -> JSONReadError {
    failure(reason, at: position)
  }

  private func failure(_ reason: String, at offset: Int) -> JSONReadError {
    .parse(ParseError(byteOffset: offset, reason: reason))
  }

  /// Reads `null`, `true` or `false`.
  mutating func word() throws(JSONReadError) -> Value {
    let words: [(String, Value)] = [
      ("null", .none), ("true", .bool(true)), ("false", .bool(false)),
    ]
    for (word, value) in words where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return value
    }
    throw failure("a value was expected")
  }

  /// Reads a number from its sign or first digit.
  mutating func number() throws(JSONReadError) -> Value {
    let start = position
    var isInteger = true
    _ = skip("-")
    if !skip("0") { try digits() }
    if skip(".") {
      isInteger = false
      try digits()
    }
    if skip("e") || skip("E") {
      isInteger = false
      if !skip("+") { _ = skip("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .int(integer) }
    guard let double = Double(text), double.isFinite else {
      throw failure("the number is too large", at: start)
    }
    return .double(double)
  }

  private mutating func digits() throws(JSONReadError) {
    let start = position
    while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      position += 1
    }
    if position == start { throw failure("a digit is missing") }
  }

  /// Reads a string from its opening quotation mark.
  mutating func string() throws(JSONReadError) -> String {
    let start = position
    advance()
    if let plain = plainText() { return plain }
    var text: [UInt8] = []
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""):
        advance()
        guard let string = String(validating: text, as: UTF8.self) else {
          throw failure("invalid UTF-8", at: offsetOfInvalidUTF8(from: start))
        }
        return string
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw failure("a control character must be escaped")
      default:
        text.append(byte)
        advance()
      }
    }
    throw failure("the closing quotation mark is missing")
  }

  /// The rest of a string that is ASCII without escapes, as most are. Nothing is passed over of
  /// another.
  private mutating func plainText() -> String? {
    var end = position
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      guard (0x20..<0x80).contains(bytes[end]), bytes[end] != UInt8(ascii: "\\") else { return nil }
      end += 1
    }
    guard end < bytes.count else { return nil }
    defer { position = end + 1 }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  /// Escapes are ASCII, so the raw bytes are malformed just where the text is.
  private func offsetOfInvalidUTF8(from start: Int) -> Int {
    start + bytes[start...].lengthOfValidUTF8
  }
}

extension JSONLexer {
  private mutating func escape(into text: inout [UInt8]) throws(JSONReadError) {
    let start = position
    advance()
    guard let byte = peek() else { throw failure("the escape is cut off") }
    advance()
    switch Unicode.Scalar(byte) {
    case "\"", "\\", "/": text.append(byte)
    case "b": text.append(0x08)
    case "f": text.append(0x0C)
    case "n": text.append(0x0A)
    case "r": text.append(0x0D)
    case "t": text.append(0x09)
    case "u": text += String(try escapedScalar(from: start)).utf8
    default: throw failure("there is no such escape", at: start)
    }
  }

  /// Reads the digits of `\u`, and the second half of a surrogate pair behind the first.
  private mutating func escapedScalar(from start: Int) throws(JSONReadError) -> Unicode.Scalar {
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), skip("\\"), skip("u") else {
      throw failure("half of a surrogate pair", at: start)
    }
    let other = try codeUnit()
    let code = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(other & 0x3FF))
    guard UTF16.isTrailSurrogate(other), let scalar = Unicode.Scalar(code) else {
      throw failure("half of a surrogate pair", at: start)
    }
    return scalar
  }

  private mutating func codeUnit() throws(JSONReadError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = peek().flatMap(hexDigit) else {
        throw failure("four hexadecimal digits were expected")
      }
      unit = unit << 4 | UInt16(digit)
      advance()
    }
    return unit
  }
}
