import Values

/// Why a line of a script cannot be understood, as one clause.
struct ScriptFault: Error, Equatable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Reads payloads as scripts write them: a number, `true`, `"text"`, `x,y,z`, `0x…`, `@NS`.
enum ScriptPayload {
  /// The payload of a text, which must match a property's type.
  static func value(
    _ text: ArraySlice<UInt8>, as type: PropertyType
  ) throws(ScriptFault) -> Value {
    if text.isEmpty { throw ScriptFault("the payload is missing") }
    switch type {
    case .bool:
      if text.elementsEqual("true".utf8) { return .bool(true) }
      if text.elementsEqual("false".utf8) { return .bool(false) }
      throw mismatch(text, "true or false")
    case .int: return .int(try integer(text, what: "a whole number"))
    case .double: return .double(try number(text, what: "a number"))
    case .vector(let components): return .vector(try vector(text, components))
    case .string, .enumeration: return .string(try quoted(text))
    case .bytes: return .bytes(try bytes(text))
    case .time:
      guard text.first == UInt8(ascii: "@") else { throw mismatch(text, "@ and nanoseconds") }
      return .time(try integer(text.dropFirst(), what: "@ and nanoseconds"))
    }
  }

  /// A finite number.
  static func number(_ text: ArraySlice<UInt8>, what: String) throws(ScriptFault) -> Double {
    do {
      return try NumberText.double(text.span)
    } catch {
      throw mismatch(text, what)
    }
  }

  /// A whole number of 64 bits.
  static func integer(_ text: ArraySlice<UInt8>, what: String) throws(ScriptFault) -> Int64 {
    do {
      return try NumberText.signed(text.span)
    } catch {
      throw mismatch(text, what)
    }
  }

  /// A decimal number of seconds, not negative, in nanoseconds; digits below one are dropped.
  static func seconds(_ text: ArraySlice<UInt8>) throws(ScriptFault) -> Int64 {
    if text.first == UInt8(ascii: "-") {
      throw ScriptFault("the time \(text.quotedExcerpt) is negative")
    }
    let whole = text.prefix { $0 != UInt8(ascii: ".") }
    let fraction = text[whole.endIndex...].dropFirst()
    let digits = whole + fraction
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw mismatch(text, "decimal seconds")
    }
    var total: Int64 = 0
    for digit in whole + (fraction.prefix(9) + [UInt8](repeating: 0x30, count: 9)).prefix(9) {
      let (tens, isTooLarge) = total.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = tens.addingReportingOverflow(Int64(digit - 0x30))
      if isTooLarge || overflow { throw ScriptFault("the time \(text.quotedExcerpt) is too large") }
      total = sum
    }
    return total
  }

  static func mismatch(_ text: ArraySlice<UInt8>, _ expected: String) -> ScriptFault {
    ScriptFault("\(text.quotedExcerpt) is not \(expected)")
  }

  private static func vector(
    _ text: ArraySlice<UInt8>, _ components: [String]
  ) throws(ScriptFault) -> Vector {
    let expected = components.joined(separator: ",")
    var numbers: [Double] = []
    for part in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      numbers.append(try number(part, what: "a number of \(expected)"))
    }
    guard numbers.count == components.count, let vector = Vector(numbers) else {
      throw mismatch(text, expected)
    }
    return vector
  }

  private static func bytes(_ text: ArraySlice<UInt8>) throws(ScriptFault) -> [UInt8] {
    let expected = "0x and pairs of hexadecimal digits"
    guard text.starts(with: "0x".utf8), text.count % 2 == 0 else {
      throw mismatch(text, expected)
    }
    var bytes: [UInt8] = []
    var rest = text.dropFirst(2)
    while let high = rest.popFirst(), let low = rest.popFirst() {
      guard let high = hexDigit(high), let low = hexDigit(low) else {
        throw mismatch(text, expected)
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  // MARK: Text

  private static func quoted(_ text: ArraySlice<UInt8>) throws(ScriptFault) -> String {
    var rest = text
    guard rest.popFirst() == UInt8(ascii: "\"") else { throw mismatch(text, "text in quotes") }
    var content: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""):
        guard rest.isEmpty else { throw ScriptFault("\(rest.quotedExcerpt) follows the text") }
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"): try appendEscape(from: &rest, to: &content)
      default: content.append(byte)
      }
    }
    throw ScriptFault("the text \(text.quotedExcerpt) does not end")
  }

  private static func appendEscape(
    from rest: inout ArraySlice<UInt8>, to content: inout [UInt8]
  ) throws(ScriptFault) {
    switch rest.popFirst() {
    case UInt8(ascii: "\"")?: content.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\")?: content.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "n")?: content.append(UInt8(ascii: "\n"))
    case UInt8(ascii: "u")?: content += String(try scalar(from: &rest)).utf8
    default: throw ScriptFault("only \\\", \\\\, \\n and \\u{…} are escapes")
    }
  }

  private static func scalar(
    from rest: inout ArraySlice<UInt8>
  ) throws(ScriptFault) -> Character {
    let wrong = ScriptFault("\\u needs a character's hexadecimal number in braces")
    guard rest.popFirst() == UInt8(ascii: "{") else { throw wrong }
    let digits = rest.prefix { $0 != UInt8(ascii: "}") }
    rest = rest[digits.endIndex...]
    guard rest.popFirst() != nil, (1...8).contains(digits.count) else { throw wrong }
    var number: UInt32 = 0
    for digit in digits {
      guard let digit = hexDigit(digit) else { throw wrong }
      number = number << 4 | UInt32(digit)
    }
    guard let scalar = Unicode.Scalar(number) else { throw wrong }
    return Character(scalar)
  }
}
