import Gathering

/// Reads formulas by recursive descent, no deeper than a limit.
///
/// From loose to tight: `? :`, `||`, `&&`, comparisons, `+ -`, `* / %`, unary `- + !`, `^` (which
/// groups from the right), and parentheses, names and calls.
struct ExpressionParser {
  private typealias Node = Expression.Node
  private typealias Fault = Expression.Fault

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  /// Which of `a` and `b` have come up.
  private(set) var names: Set<String> = []

  private static let depthLimit = 100
  private static let lengthLimit = 10_000

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The formula that the whole text is.
  mutating func formula() throws(Expression.Fault) -> Expression.Node {
    if bytes.count > Self.lengthLimit { throw Fault(column: 1, reason: "the formula is too long") }
    let node = try choice()
    skipSpace()
    if position < bytes.count { throw fault("an operator was expected") }
    return node
  }

  private mutating func choice() throws(Expression.Fault) -> Node {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthLimit { throw fault("nested too deep") }
    let test = try chain(0)
    guard skip("?") else { return test }
    let first = try choice()
    guard skip(":") else { throw fault("\":\" was expected") }
    return .choose(test, first, try choice())
  }

  /// The binary operators, from loose to tight; of one level the longer ones first.
  private static let levels: [[(String, Expression.Operation)]] = [
    [("||", .or)], [("&&", .and)],
    [
      ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("==", .equal), ("!=", .unequal),
      ("<", .less), (">", .greater),
    ],
    [("+", .add), ("-", .subtract)],
    [("*", .multiply), ("/", .divide), ("%", .remainder)],
  ]

  private mutating func chain(_ level: Int) throws(Expression.Fault) -> Node {
    guard level < Self.levels.count else { return try unary() }
    var node = try chain(level + 1)
    var length = 0
    while let (_, operation) = Self.levels[level].first(where: { skip($0.0) }) {
      length += 1
      // The tree of a chain is as deep as the chain is long.
      if length > 500 { throw fault("the chain is too long") }
      node = .both(operation, node, try chain(level + 1))
    }
    return node
  }

  private mutating func unary() throws(Expression.Fault) -> Node {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthLimit { throw fault("nested too deep") }
    if skip("-") { return .negate(try unary()) }
    if skip("+") { return try unary() }
    if peek(1) != UInt8(ascii: "="), skip("!") { return .not(try unary()) }
    let base = try primary()
    if skip("**") || skip("^") { return .both(.power, base, try unary()) }
    return base
  }

  private mutating func primary() throws(Expression.Fault) -> Node {
    skipSpace()
    guard let byte = peek(0) else { throw fault("the formula ends too early") }
    if skip("(") {
      let node = try choice()
      guard skip(")") else { throw fault("\")\" was expected") }
      return node
    }
    if (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") { return try number() }
    guard isLetter(byte) else { throw fault("a number, a name or \"(\" was expected") }
    return try named()
  }

  private mutating func number() throws(Expression.Fault) -> Node {
    let start = position
    let isPart = { (byte: UInt8) in (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") }
    while let byte = peek(0), isPart(byte) { position += 1 }
    if let byte = peek(0), byte | 0x20 == UInt8(ascii: "e") {
      let sign = peek(1) == UInt8(ascii: "-") || peek(1) == UInt8(ascii: "+") ? 2 : 1
      if let digit = peek(sign), (0x30...0x39).contains(digit) {
        position += sign
        while let byte = peek(0), (0x30...0x39).contains(byte) { position += 1 }
      }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let number = Double(text) else {
      throw Fault(column: start + 1, reason: "\(text) is no number")
    }
    return .constant(.real(number))
  }

  private mutating func named() throws(Expression.Fault) -> Node {
    let start = position
    while let byte = peek(0), isLetter(byte) || (0x30...0x39).contains(byte) { position += 1 }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    if name == "a" || name == "b" {
      names.insert(name)
      return name == "a" ? .a : .b
    }
    if let constant = Expression.constants[name] { return .constant(constant) }
    if let function = Expression.functions[name] {
      return .call(function, try arguments(1, of: name)[0])
    }
    if let function = Expression.pairFunctions[name] {
      let both = try arguments(2, of: name)
      return .callBoth(function, both[0], both[1])
    }
    if name == "if" {
      let all = try arguments(3, of: name)
      return .choose(all[0], all[1], all[2])
    }
    let known =
      ["a", "b", "if"] + Expression.constants.keys.sorted()
      + Expression.functions.keys.sorted() + Expression.pairFunctions.keys.sorted()
    let sentence = Nearest.sentence(to: name, among: known, what: "name")
    throw Fault(column: start + 1, reason: sentence)
  }

  private mutating func arguments(
    _ count: Int, of name: String
  ) throws(Expression.Fault) -> [Expression.Node] {
    guard skip("(") else { throw fault("\"(\" was expected behind \(name)") }
    var all = [try choice()]
    while skip(",") { all.append(try choice()) }
    guard skip(")") else { throw fault("\")\" was expected") }
    guard all.count == count else {
      throw fault("\(name) takes \(count) argument\(count == 1 ? "" : "s"), not \(all.count)")
    }
    return all
  }

  // MARK: Characters

  private func peek(_ offset: Int) -> UInt8? {
    bytes.indices.contains(position + offset) ? bytes[position + offset] : nil
  }

  private mutating func skipSpace() {
    while let byte = peek(0), byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
  }

  private mutating func skip(_ text: String) -> Bool {
    skipSpace()
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  /// Columns count characters, as people do.
  private func fault(_ reason: String) -> Fault {
    let before = String(decoding: bytes[..<min(position, bytes.count)], as: UTF8.self)
    return Fault(column: before.count + 1, reason: reason)
  }
}
