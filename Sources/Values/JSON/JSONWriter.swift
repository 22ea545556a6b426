extension Value {
  /// The value as compact JSON text, members in order.
  ///
  /// A double always carries `.` or `e`, so that reading gives back the same types. Vectors, bytes
  /// and times are written as `{"vector":[…]}`, `{"bytes":"base64"}` and `{"time_ns":…}`; a
  /// dictionary of one such member reads back as the type it spells. Fails on NaN, infinities and
  /// nesting over 128.
  public func json() throws(JSONWriteError) -> String {
    var writer = JSONWriter()
    try writer.write(self)
    return writer.text
  }

  /// JSON for people: never fails, writes numbers that JSON does not have as words, and cuts off
  /// deep nesting.
  var displayJSON: String {
    var writer = JSONWriter(oddities: .spell)
    // With numbers spelled as words and nesting cut, writing cannot fail.
    try? writer.write(self)
    return writer.text
  }
}

/// Writes values as JSON.
struct JSONWriter {
  /// How values are written that JSON cannot express.
  enum Oddities {
    case refuse
    case spell
  }

  private let oddities: Oddities
  private var output: [UInt8] = []
  private var depth = 0

  init(oddities: Oddities = .refuse) {
    self.oddities = oddities
  }

  /// The text written so far.
  var text: String { String(decoding: output, as: UTF8.self) }

  mutating func write(_ value: Value) throws(JSONWriteError) {
    switch value {
    case .none: put("null")
    case .bool(let flag): put(flag ? "true" : "false")
    case .int(let number): put(String(number))
    case .double(let number): try write(number)
    case .string(let text): write(text)
    case .vector(let vector):
      let components = vector.components.map(Value.double)
      try write(member: JSON.vectorName, .list(components))
    case .bytes(let bytes):
      try nested("{", "}") { (writer) throws(JSONWriteError) in
        writer.put("\"\(JSON.bytesName)\":\"")
        writer.output += Base64.encode(bytes)
        writer.put("\"")
      }
    case .time(let moment): try write(member: JSON.timeName, .int(moment))
    case .list(let items): try write(items)
    case .dictionary(let members): try write(members)
    }
  }

  private mutating func write(_ items: [Value]) throws(JSONWriteError) {
    try nested("[", "]") { (writer) throws(JSONWriteError) in
      for (index, item) in items.enumerated() {
        if index > 0 { writer.put(",") }
        try writer.write(item)
      }
    }
  }

  private mutating func write(_ members: ValueDictionary) throws(JSONWriteError) {
    try nested("{", "}") { (writer) throws(JSONWriteError) in
      for (index, member) in members.enumerated() {
        if index > 0 { writer.put(",") }
        writer.write(member.key)
        writer.put(":")
        try writer.write(member.value)
      }
    }
  }

  private mutating func write(member name: String, _ value: Value) throws(JSONWriteError) {
    try nested("{", "}") { (writer) throws(JSONWriteError) in
      writer.write(name)
      writer.put(":")
      try writer.write(value)
    }
  }

  private mutating func write(_ number: Double) throws(JSONWriteError) {
    if !number.isFinite && oddities == .refuse { throw .notFinite }
    // `description` is the shortest decimal that reads back exactly, and always has `.` or `e`.
    put(number.isNaN ? "nan" : number.description)
  }

  private mutating func write(_ text: String) {
    put("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): put("\\\"")
      case UInt8(ascii: "\\"): put("\\\\")
      case 0x0A: put("\\n")
      case 0x0D: put("\\r")
      case 0x09: put("\\t")
      case 0..<0x20: put("\\u00" + byte.hexadecimal(.lower))
      default: output.append(byte)
      }
    }
    put("\"")
  }

  private mutating func nested(
    _ opening: String, _ closing: String,
    _ content: (inout JSONWriter) throws(JSONWriteError) -> Void
  ) throws(JSONWriteError) {
    if depth == JSON.depthLimit {
      if oddities == .refuse { throw .tooDeep }
      put("\(opening)…\(closing)")
      return
    }
    depth += 1
    put(opening)
    try content(&self)
    put(closing)
    depth -= 1
  }

  private mutating func put(_ text: String) {
    output += text.utf8
  }
}
