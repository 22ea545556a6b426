extension Value {
  /// Reads a value from JSON text in UTF-8 (RFC 8259, strictly).
  ///
  /// Numbers without `.` or `e` that fit 64 bits are `int`, other numbers `double`.
  /// `{"vector":[…]}` with two to four numbers, `{"bytes":"…"}` with base 64 and `{"time_ns":…}`
  /// with an integer are the types that JSON does not have; any other content under these names is
  /// an ordinary dictionary. A name used twice is an error, and so is nesting over 128.
  public init(json text: some Sequence<UInt8>) throws(JSONReadError) {
    var reader = JSONReader(Array(text))
    self = try reader.document()
  }

  /// Reads a value from JSON text, as from its UTF-8.
  public init(json text: some StringProtocol) throws(JSONReadError) {
    try self.init(json: text.utf8)
  }
}

/// A strict parser of JSON: recursive, no deeper than the limit.
struct JSONReader {
  private var lexer: JSONLexer
  private var depth = 0

  init(_ bytes: [UInt8]) {
    lexer = JSONLexer(bytes)
  }

  /// The value of the whole text.
  mutating func document() throws(JSONReadError) -> Value {
    let value = try value()
    lexer.skipWhiteSpace()
    if lexer.peek() != nil { throw lexer.failure("text after the end of the value") }
    return value
  }

  private mutating func value() throws(JSONReadError) -> Value {
    lexer.skipWhiteSpace()
    guard let byte = lexer.peek() else { throw lexer.failure("a value is missing") }
    switch Unicode.Scalar(byte) {
    case "{": return try nested { (reader) throws(JSONReadError) in try reader.object() }
    case "[": return try nested { (reader) throws(JSONReadError) in try reader.array() }
    case "\"": return .string(try lexer.string())
    case "-", "0"..."9": return try lexer.number()
    default: return try lexer.word()
    }
  }

  private mutating func nested(
    _ read: (inout JSONReader) throws(JSONReadError) -> Value
  ) throws(JSONReadError) -> Value {
    if depth == JSON.depthLimit {
      throw .limit(
        ParseError(
          byteOffset: lexer.position, reason: "nested more than \(JSON.depthLimit) deep"))
    }
    depth += 1
    lexer.advance()
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func array() throws(JSONReadError) -> Value {
    var items: [Value] = []
    lexer.skipWhiteSpace()
    if lexer.skip("]") { return .list([]) }
    repeat {
      items.append(try value())
      lexer.skipWhiteSpace()
    } while lexer.skip(",")
    guard lexer.skip("]") else { throw lexer.failure("\",\" or \"]\" is missing") }
    return .list(items)
  }

  private mutating func object() throws(JSONReadError) -> Value {
    var members = ValueDictionary()
    lexer.skipWhiteSpace()
    if lexer.skip("}") { return .dictionary(members) }
    repeat {
      lexer.skipWhiteSpace()
      let start = lexer.position
      guard lexer.peek() == UInt8(ascii: "\"") else { throw lexer.failure("a name is missing") }
      let name = try lexer.string()
      if members[name] != nil {
        let quoted = Array(name.utf8).quotedExcerpt
        throw .parse(ParseError(byteOffset: start, reason: "the name \(quoted) is used twice"))
      }
      lexer.skipWhiteSpace()
      guard lexer.skip(":") else { throw lexer.failure("\":\" is missing") }
      members.append(name, try value())
      lexer.skipWhiteSpace()
    } while lexer.skip(",")
    guard lexer.skip("}") else { throw lexer.failure("\",\" or \"}\" is missing") }
    return Self.special(members) ?? .dictionary(members)
  }

  /// The value that an object of one member spells; nil when it is an ordinary dictionary.
  private static func special(_ members: ValueDictionary) -> Value? {
    guard members.count == 1, let (name, content) = members.first else { return nil }
    switch (name, content) {
    case (JSON.vectorName, .list(let items)):
      let components = items.compactMap(\.number)
      return components.count == items.count ? Vector(components).map(Value.vector) : nil
    case (JSON.bytesName, .string(let text)):
      return Base64.decode(text.utf8).map(Value.bytes)
    case (JSON.timeName, .int(let moment)):
      return .time(moment)
    default:
      return nil
    }
  }
}
