/// Reads the subset of UCUM that values are published in (C API R12).
///
/// Atoms with prefixes, `.` and `/` from left to right, powers (`s2`, `s-1`), and annotations: one
/// that stands alone (`{px}`) is a unit of its own, `{r}` a turn of 2π rad; one behind a bel
/// (`dB{mW}`) is its reference level, one behind any other unit says nothing.
struct UnitParser {
  private let code: String
  private let bytes: [UInt8]
  private var position = 0
  private var unit = Unit()
  private var hasSpecial = false
  private var termCount = 0

  /// The meaning of a code.
  static func parse(_ code: String) throws(UnitError) -> Unit {
    var parser = UnitParser(code)
    return try parser.parse()
  }

  private init(_ code: String) {
    self.code = code
    self.bytes = Array(code.utf8)
  }

  private mutating func parse() throws(UnitError) -> Unit {
    if bytes.isEmpty { throw failure("the code is empty") }
    if bytes.count > Self.lengthLimit { throw failure("the code is too long") }
    if peek() != UInt8(ascii: "/") { try term(sign: 1) }
    while let byte = peek() {
      position += 1
      switch byte {
      case UInt8(ascii: "."): try term(sign: 1)
      case UInt8(ascii: "/"): try term(sign: -1)
      default: throw failure("\".\" or \"/\" is missing before \(excerpt(from: position - 1))")
      }
    }
    if hasSpecial && termCount > 1 {
      throw failure("a temperature scale or a level cannot be multiplied or divided")
    }
    guard unit.factor.mantissa.isNormal else { throw failure("its size is out of range") }
    return unit
  }

  /// One atom with prefix, power and annotation, multiplied in or divided by.
  private mutating func term(sign: Int) throws(UnitError) {
    let name = atomName()
    let exponent = try power()
    let annotation = try annotation()
    let (atom, isSpecial) = try meaning(of: name, annotation: annotation)
    if isSpecial && (exponent != 1 || sign != 1) {
      throw failure("a temperature scale or a level cannot be divided or raised to a power")
    }
    termCount += 1
    hasSpecial = hasSpecial || isSpecial
    guard let dimension = unit.dimension.adding(atom.dimension, power: sign * exponent) else {
      throw failure("the exponents are too large")
    }
    unit.dimension = dimension
    unit.factor = unit.factor.multiplied(by: atom.factor, power: sign * exponent)
    unit.offset = atom.offset
  }

  private func meaning(
    of name: String, annotation: String?
  ) throws(UnitError) -> (unit: Unit, isSpecial: Bool) {
    if name.isEmpty {
      guard let annotation else { throw failure("a unit is missing") }
      let code = "{\(annotation)}"
      let unit = UnitAtom.named(code)?.unit ?? Unit(dimension: Dimension(exponents: [code: 1]))
      return (unit, false)
    }
    if name == "B" || name == "dB" {
      let dimension = Dimension(exponents: ["B{\(annotation ?? "")}": 1])
      let factor = Factor(decimalExponent: name == "B" ? 0 : -1)
      return (Unit(factor: factor, dimension: dimension), true)
    }
    guard let found = atom(name) else { throw failure("no unit is called \(quoted(name))") }
    return found
  }

  /// The atom of a name that may begin with a prefix; the whole name goes first (`min`, `cd`).
  private func atom(_ name: String) -> (unit: Unit, isSpecial: Bool)? {
    if let atom = UnitAtom.named(name) { return (atom.unit, atom.isSpecial) }
    for length in 1...2 {
      let stem = String(name.dropFirst(length))
      guard let atom = UnitAtom.named(stem),
        let prefix = UnitAtom.prefix(String(name.prefix(length)), for: atom.prefixes)
      else { continue }
      var unit = atom.unit
      unit.factor = unit.factor.multiplied(by: prefix, power: 1)
      return (unit, atom.isSpecial)
    }
    return nil
  }

  private static let lengthLimit = 256
}

extension UnitParser {
  /// Letters, `%`, and whatever stands in square brackets; or the unity `1`.
  private mutating func atomName() -> String {
    let start = position
    if peek() == UInt8(ascii: "1") {
      position += 1
      return "1"
    }
    var isBracketed = false
    while let byte = peek() {
      switch Unicode.Scalar(byte) {
      case "[": isBracketed = true
      case "]": isBracketed = false
      case "a"..."z", "A"..."Z", "%": break
      default:
        if !isBracketed { return String(decoding: bytes[start..<position], as: UTF8.self) }
      }
      position += 1
    }
    return String(decoding: bytes[start...], as: UTF8.self)
  }

  /// A decimal exponent with or without sign; 1 when there is none.
  private mutating func power() throws(UnitError) -> Int {
    let start = position
    if let byte = peek(), byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
    let firstDigit = position
    while let byte = peek(), Self.isDigit(byte) { position += 1 }
    if position == start { return 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard firstDigit < position, let exponent = Int(text), exponent != 0,
      abs(exponent) <= Unit.exponentLimit
    else { throw failure("\(quoted(text)) is not an exponent") }
    return exponent
  }

  /// The text in curly braces; nil when there are none.
  private mutating func annotation() throws(UnitError) -> String? {
    guard peek() == UInt8(ascii: "{") else { return nil }
    guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "}")) else {
      throw failure("\"}\" is missing")
    }
    let text = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
    if text.isEmpty || text.contains("{") { throw failure("the annotation is malformed") }
    position = end + 1
    return text
  }

  private func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private func excerpt(from start: Int) -> String { bytes[start...].quotedExcerpt }

  private func quoted(_ text: String) -> String { Array(text.utf8).quotedExcerpt }

  private func failure(_ reason: String) -> UnitError {
    .unknownUnit(code: code, reason: reason)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
