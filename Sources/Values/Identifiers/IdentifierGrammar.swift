/// The grammar of identifiers, read from UTF-8 bytes.
///
///     source-id   = kind [ "|" instance [ "@" device ] ]
///     property-id = source-id "/" key *( "/" component )
///
/// Instance, device and component may hold letters, digits and `-._~:+,=`; every other byte is
/// percent-encoded UTF-8 (sources N1, N2).
package struct IdentifierGrammar {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a whole text as a source id.
  mutating func source() throws(ParseError) -> SourceIdentifier {
    let source = try sourcePart()
    if let byte = peek() { throw unexpected(byte) }
    return source
  }

  /// Reads a whole text as a property id.
  mutating func property() throws(ParseError) -> PropertyIdentifier {
    let source = try sourcePart()
    guard peek() == UInt8(ascii: "/") else {
      throw peek().map(unexpected) ?? failure("a property id needs \"/\" and a key")
    }
    return PropertyIdentifier(checkedSource: source, checkedComponents: try pathPart())
  }

  /// Reads a whole text as either.
  mutating func identifier() throws(ParseError) -> Identifier {
    let source = try sourcePart()
    guard let byte = peek() else { return .source(source) }
    guard byte == UInt8(ascii: "/") else { throw unexpected(byte) }
    let components = try pathPart()
    return .property(
      PropertyIdentifier(checkedSource: source, checkedComponents: components))
  }

  /// Reads a whole text as a kind.
  mutating func wholeKind() throws(ParseError) -> String {
    let kind = try kindPart()
    if let byte = peek() { throw unexpected(byte) }
    return kind
  }

  /// Reads a whole text as a property key.
  mutating func wholeKey() throws(ParseError) -> String {
    let key = try word("key")
    if let byte = peek() { throw unexpected(byte) }
    return key
  }

  private mutating func sourcePart() throws(ParseError) -> SourceIdentifier {
    let kind = try kindPart()
    var instance: String?
    var device: String?
    if skip("|") {
      instance = try part("instance")
      if skip("@") { device = try part("device") }
    }
    return SourceIdentifier(checkedKind: kind, instance: instance, device: device)
  }

  private mutating func kindPart() throws(ParseError) -> String {
    var kind = try word("kind")
    while skip(".") { kind += "." + (try word("word of the kind")) }
    return kind
  }

  /// The path of a property id, which is its end.
  private mutating func pathPart() throws(ParseError) -> [String] {
    guard skip("/") else { throw failure("a property id needs \"/\" and a key") }
    var components = [try word("key")]
    while skip("/") { components.append(try part("component")) }
    if let byte = peek() { throw unexpected(byte) }
    return components
  }

  /// A lower-case letter, then lower-case letters, digits and underscores.
  private mutating func word(_ name: String) throws(ParseError) -> String {
    let start = position
    while let byte = peek(), Self.isWordByte(byte, first: position == start) { position += 1 }
    if position == start { throw emptyPart(name) }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// A part in which other bytes are percent-encoded; decoded.
  private mutating func part(_ name: String) throws(ParseError) -> String {
    let start = position
    var decoded: [UInt8] = []
    while let byte = peek() {
      if byte == UInt8(ascii: "%") {
        decoded.append(try escapedByte())
      } else if Self.isPlain(byte) {
        decoded.append(byte)
        position += 1
      } else {
        break
      }
    }
    if position == start { throw emptyPart(name) }
    // Without escapes it is ASCII.
    if decoded.count == position - start { return String(decoding: decoded, as: UTF8.self) }
    if let text = String(validating: decoded, as: UTF8.self) { return text }
    let offset = offsetOfInvalidEscape(in: decoded, from: start)
    throw ParseError(byteOffset: offset, reason: "the escapes are not UTF-8")
  }

  private mutating func escapedByte() throws(ParseError) -> UInt8 {
    guard position + 2 < bytes.count else { throw failure("truncated escape") }
    guard let high = hexDigit(bytes[position + 1]), let low = hexDigit(bytes[position + 2]) else {
      throw failure("\"%\" needs two hexadecimal digits")
    }
    let byte = high << 4 | low
    if byte == 0 { throw failure("NUL is not allowed") }
    position += 3
    return byte
  }

  /// Finds the escape that begins the first malformed sequence, to say where it stands.
  private func offsetOfInvalidEscape(in decoded: [UInt8], from start: Int) -> Int {
    let valid = decoded.lengthOfValidUTF8
    var offset = start
    for _ in 0..<valid { offset += bytes[offset] == UInt8(ascii: "%") ? 3 : 1 }
    return offset
  }
}

extension IdentifierGrammar {
  private func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private func failure(_ reason: String) -> ParseError {
    ParseError(byteOffset: position, reason: reason)
  }

  private func emptyPart(_ name: String) -> ParseError {
    guard let byte = peek() else {
      return failure(bytes.isEmpty ? "the text is empty" : "the \(name) is missing")
    }
    let delimiters: [Unicode.Scalar] = ["|", "@", "/", "."]
    if delimiters.contains(Unicode.Scalar(byte)) { return failure("the \(name) is empty") }
    return unexpected(byte)
  }

  private func unexpected(_ byte: UInt8) -> ParseError {
    switch Unicode.Scalar(byte) {
    case "|": failure(bytes[..<position].contains(byte) ? "a second \"|\"" : "\"|\" out of place")
    case "@":
      failure(bytes[..<position].contains(byte) ? "a second \"@\"" : "\"@\" without \"|\"")
    case "/": failure("\"/\" begins a property, but a source id was expected")
    case "\0": failure("NUL is not allowed")
    case "!"..."~": failure("\"\(Unicode.Scalar(byte))\" is not allowed here")
    case " ": failure("a space must be written %20")
    case "\u{80}"...: failure(reasonForHighByte())
    default: failure("a control character is not allowed")
    }
  }

  private func reasonForHighByte() -> String {
    bytes[position...].lengthOfValidUTF8 > 0
      ? "a character outside ASCII must be percent-encoded" : "invalid UTF-8"
  }

  private static func isWordByte(_ byte: UInt8, first: Bool) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z": true
    case "0"..."9", "_": !first
    default: false
    }
  }

  /// Whether a byte of an instance, device or component stands for itself.
  static func isPlain(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_", "~", ":", "+", ",", "=": true
    default: false
    }
  }

  /// A part as it is without its escapes; nil if it is none.
  package static func decoded(_ part: some StringProtocol) -> String? {
    decoded(Array(part.utf8))
  }

  /// The same of UTF-8.
  package static func decoded(_ part: [UInt8]) -> String? {
    var grammar = IdentifierGrammar(part)
    guard let text = try? grammar.part("part"), grammar.peek() == nil else { return nil }
    return text
  }

  /// The canonical spelling of a decoded part.
  package static func encoded(_ part: String) -> String {
    if part.utf8.allSatisfy(isPlain) { return part }
    var text = ""
    for byte in part.utf8 {
      if isPlain(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + byte.hexadecimal(.upper)
      }
    }
    return text
  }
}
