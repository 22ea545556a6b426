/// A value as it travels on the message bus, with its D-Bus type.
public enum BusValue: Equatable, Sendable {
  case bool(Bool)
  case byte(UInt8)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  /// The path of an object.
  case path(String)
  case signature(String)
  /// An open file; only its presence is represented.
  case descriptor
  /// An array of bytes.
  case bytes([UInt8])
  /// An array of another type, and the signature of one element.
  case array(of: String, [BusValue])
  /// An array of pairs, and the signature of one pair without braces.
  case dictionary(of: String, [BusPair])
  case structure([BusValue])
  indirect case variant(BusValue)
}

/// One pair of a dictionary on the bus.
public struct BusPair: Equatable, Sendable {
  /// The key of the entry.
  public var key: BusValue
  /// The value of the entry.
  public var value: BusValue

  /// A pair.
  public init(_ key: BusValue, _ value: BusValue) {
    self.key = key
    self.value = value
  }
}

extension [BusValue] {
  /// The first path among the members of a structure.
  public var path: String? {
    for member in self {
      if let path = member.path { return path }
    }
    return nil
  }
}

extension BusValue {
  /// The value without the variants around it.
  public var plain: BusValue {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }

  /// The flag, if it is a boolean.
  public var flag: Bool? {
    if case .bool(let flag) = plain { return flag }
    return nil
  }

  /// The whole number, if it is of an integer type and fits 64 bits with a sign.
  public var integer: Int64? {
    switch plain {
    case .byte(let number): Int64(number)
    case .int16(let number): Int64(number)
    case .uint16(let number): Int64(number)
    case .int32(let number): Int64(number)
    case .uint32(let number): Int64(number)
    case .int64(let number): number
    case .uint64(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The number, if it is of type double; it may be no finite one.
  public var double: Double? {
    if case .double(let number) = plain { return number }
    return nil
  }

  /// The text, if it is a string.
  public var text: String? {
    if case .string(let text) = plain { return text }
    return nil
  }

  /// The path, if it is that of an object.
  public var path: String? {
    if case .path(let path) = plain { return path }
    return nil
  }

  /// The bytes, if it is an array of bytes.
  public var bytes: [UInt8]? {
    if case .bytes(let bytes) = plain { return bytes }
    return nil
  }

  /// The elements, if it is an array of anything but bytes and pairs.
  public var elements: [BusValue]? {
    if case .array(_, let elements) = plain { return elements }
    return nil
  }

  /// The texts, if it is an array of strings.
  public var texts: [String]? {
    guard let elements else { return nil }
    let texts = elements.compactMap(\.text)
    return texts.count == elements.count ? texts : nil
  }

  /// The pairs, if it is a dictionary.
  public var pairs: [BusPair]? {
    if case .dictionary(_, let pairs) = plain { return pairs }
    return nil
  }

  /// The values by name, if it is a dictionary with strings as keys; values lose their variants.
  public var named: [String: BusValue]? {
    guard let pairs else { return nil }
    var found: [String: BusValue] = [:]
    for pair in pairs {
      guard let key = pair.key.text ?? pair.key.path else { return nil }
      found[key] = pair.value.plain
    }
    return found
  }
}

extension BusValue {
  /// The value's type as D-Bus writes it.
  public var typeSignature: String {
    switch self {
    case .bool: "b"
    case .byte: "y"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .dictionary(let pair, _): "a{\(pair)}"
    case .structure(let members): "(" + members.map(\.typeSignature).joined() + ")"
    case .variant: "v"
    }
  }
}

extension BusValue: CustomStringConvertible {
  /// The value as a tool would print it: numbers and text plain, containers in brackets.
  public var description: String {
    switch self {
    case .bool(let flag): "\(flag)"
    case .double(let number): "\(number)"
    case .string(let text), .path(let text), .signature(let text): text
    case .descriptor: "descriptor"
    case .bytes(let bytes): bytes.map { "\($0)" }.joined(separator: " ")
    case .array(_, let elements): "[" + elements.map(\.description).joined(separator: ", ") + "]"
    case .dictionary(_, let pairs):
      "{" + pairs.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    case .structure(let members): "(" + members.map(\.description).joined(separator: ", ") + ")"
    case .variant(let inner): inner.description
    case .byte, .int16, .uint16, .int32, .uint32, .int64: integer.map { "\($0)" } ?? ""
    case .uint64(let number): "\(number)"
    }
  }
}
