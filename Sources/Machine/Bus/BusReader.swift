import CLinux

/// Takes a message apart into values, as many and as deep as is sensible.
struct BusReader {
  /// The most values of one message, and the deepest they may be nested.
  private static let room = 1 << 18
  private static let depth = 32

  let sd: clinux_bus
  let message: OpaquePointer
  private var count = 0

  init(sd: clinux_bus, message: OpaquePointer) {
    self.sd = sd
    self.message = message
  }

  /// All values; nil if they are too many, too deep or cannot be read.
  mutating func readAll() -> [BusValue]? { list(depth: 0) }

  /// The values to the end of the container at hand.
  private mutating func list(depth: Int) -> [BusValue]? {
    var values: [BusValue] = []
    while true {
      switch peek() {
      case .value(let type, let contents):
        guard let value = read(type, contents, depth: depth) else { return nil }
        values.append(value)
      case .end: return values
      case .nothing: return nil
      }
    }
  }

  private enum Next {
    /// A type and what it contains, which the message keeps until the next is looked at.
    case value(CChar, UnsafePointer<CChar>?)
    case end
    /// The message cannot be read here.
    case nothing
  }

  private func peek() -> Next {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    let state = sd.message_peek_type(message, &type, &contents)
    if state <= 0 { return state == 0 ? .end : .nothing }
    return .value(type, contents)
  }

  private mutating func read(
    _ type: CChar, _ contents: UnsafePointer<CChar>?, depth: Int
  ) -> BusValue? {
    count += 1
    guard count <= Self.room, depth <= Self.depth else { return nil }
    switch Letter(type) {
    case "a": return contents.flatMap { array(of: $0, depth) }
    case "r", "(":
      return inside("r", contents) { $0.list(depth: depth + 1) }.map { .structure($0) }
    case "v": return inside("v", contents) { $0.single(depth: depth + 1) }.map { .variant($0) }
    case let letter: return basic(letter)
    }
  }

  private mutating func array(of contents: UnsafePointer<CChar>, _ depth: Int) -> BusValue? {
    let first = Letter(contents[0])
    if first == "y" { return bytes() }
    let element = String(cString: contents)
    if first != "{" {
      return inside("a", contents) { $0.list(depth: depth + 1) }
        .map { .array(of: element, $0) }
    }
    let pair = String(element.dropFirst().dropLast())
    return inside("a", contents) { $0.pairs(pair, depth + 1) }
      .map { .dictionary(of: pair, $0) }
  }

  /// The only value of a variant.
  private mutating func single(depth: Int) -> BusValue? {
    guard case .value(let type, let contents) = peek() else { return nil }
    return read(type, contents, depth: depth)
  }

  /// Reads the contents of a container.
  private mutating func inside<Contents>(
    _ type: Letter, _ contents: UnsafePointer<CChar>?, _ read: (inout BusReader) -> Contents?
  ) -> Contents? {
    guard sd.message_enter_container(message, type.code, contents) > 0 else { return nil }
    guard let found = read(&self), sd.message_exit_container(message) >= 0 else { return nil }
    return found
  }

  private mutating func pairs(_ contents: String, _ depth: Int) -> [BusPair]? {
    var pairs: [BusPair] = []
    while true {
      let state = sd.message_enter_container(message, Letter("e").code, contents)
      if state == 0 { return pairs }
      guard state > 0, let key = single(depth: depth + 1), let value = single(depth: depth + 1),
        sd.message_exit_container(message) >= 0
      else { return nil }
      pairs.append(BusPair(key, value))
    }
  }

  private func bytes() -> BusValue? {
    var data: UnsafeRawPointer?
    var size = 0
    guard sd.message_read_array(message, Letter("y").code, &data, &size) >= 0 else { return nil }
    guard let data, size > 0 else { return .bytes([]) }
    return .bytes(Array(UnsafeRawBufferPointer(start: data, count: size)))
  }

  private func basic(_ type: Letter) -> BusValue? {
    switch type {
    case "b": number(type, Int32(0)).map { .bool($0 != 0) }
    case "y": number(type, UInt8(0)).map { .byte($0) }
    case "n": number(type, Int16(0)).map { .int16($0) }
    case "q": number(type, UInt16(0)).map { .uint16($0) }
    case "i": number(type, Int32(0)).map { .int32($0) }
    case "u": number(type, UInt32(0)).map { .uint32($0) }
    case "x": number(type, Int64(0)).map { .int64($0) }
    case "t": number(type, UInt64(0)).map { .uint64($0) }
    case "d": number(type, Double(0)).map { .double($0) }
    // The descriptor is the message's, and closed with it.
    case "h": number(type, Int32(0)).map { _ in .descriptor }
    case "s": text(type).map { .string($0) }
    case "o": text(type).map { .path($0) }
    case "g": text(type).map { .signature($0) }
    default: nil
    }
  }

  private func number<Number: BitwiseCopyable>(_ type: Letter, _ zero: Number) -> Number? {
    var number = zero
    return sd.message_read_basic(message, type.code, &number) > 0 ? number : nil
  }

  private func text(_ type: Letter) -> String? {
    var characters: UnsafePointer<CChar>?
    guard sd.message_read_basic(message, type.code, &characters) > 0, let characters else {
      return nil
    }
    return String(cString: characters)
  }
}

/// A letter of a signature: the code of a type.
private struct Letter: Equatable, ExpressibleByUnicodeScalarLiteral {
  let code: CChar

  init(_ code: CChar) { self.code = code }

  init(unicodeScalarLiteral scalar: Unicode.Scalar) {
    code = CChar(truncatingIfNeeded: scalar.value)
  }
}
