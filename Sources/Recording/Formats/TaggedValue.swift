import Gathering
import Values

/// A value of any type, preceded by its type, for columns of mixed types.
enum TaggedValue {
  static func write(_ value: Value, to out: inout ByteWriter, depth: Int = 0) {
    // Nesting deeper than the reader accepts is cut off.
    let value = depth > Format.depthLimit ? Value.none : value
    out.put(UInt8(value.type.rawValue))
    switch value {
    case .none: break
    case .bool(let flag): out.put(flag ? 1 : 0)
    case .int(let number), .time(let number): out.put(signed: number)
    case .double(let number): out.put(double: number)
    case .vector(let vector):
      out.put(UInt8(vector.count))
      for component in vector.components { out.put(double: component) }
    case .string(let text): out.put(counted: Array(text.utf8))
    case .bytes(let bytes): out.put(counted: bytes)
    case .dictionary(let members):
      out.put(varint: members.count)
      for (key, member) in members {
        out.put(counted: Array(key.utf8))
        write(member, to: &out, depth: depth + 1)
      }
    case .list(let items):
      out.put(varint: items.count)
      for item in items { write(item, to: &out, depth: depth + 1) }
    }
  }

  static func read(_ reader: inout ByteReader, depth: Int = 0) throws(Malformed) -> Value {
    guard depth <= Format.depthLimit, let type = ValueType(rawValue: UInt32(try reader.byte()))
    else { throw Malformed("a value has an unknown type, or lies too deep") }
    switch type {
    case .none: return .none
    case .bool: return .bool(try reader.byte() != 0)
    case .int: return .int(try reader.signed())
    case .time: return .time(try reader.signed())
    case .double: return .double(try reader.double())
    case .string: return .string(try reader.text())
    case .bytes: return .bytes(Array(try reader.counted()))
    case .vector: return try vector(&reader)
    case .dictionary:
      var members = ValueDictionary()
      for _ in 0..<(try reader.count(atMost: reader.remaining)) {
        let key = try reader.text()
        members[key] = try read(&reader, depth: depth + 1)
      }
      return .dictionary(members)
    case .list:
      var items: [Value] = []
      for _ in 0..<(try reader.count(atMost: reader.remaining)) {
        items.append(try read(&reader, depth: depth + 1))
      }
      return .list(items)
    }
  }

  private static func vector(_ reader: inout ByteReader) throws(Malformed) -> Value {
    var components: [Double] = []
    for _ in 0..<(try reader.count(atMost: 4)) { components.append(try reader.double()) }
    guard let vector = Vector(components) else { throw Malformed("a vector has no components") }
    return .vector(vector)
  }
}

extension Value {
  /// Whether two values are the same to the last bit: `==` takes 0 for -0, and any NaN for another.
  func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.vector(let left), .vector(let right)):
      left.components.map(\.bitPattern) == right.components.map(\.bitPattern)
    // Rarely compared; treating them as different is safe.
    case (.dictionary, _), (.list, _): false
    default: self == other
    }
  }

  /// About how many bytes it takes.
  package var weight: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    case .list(let items): items.reduce(0) { $0 + 16 + $1.weight }
    case .dictionary(let members):
      members.reduce(0) { $0 + 32 + $1.key.utf8.count + $1.value.weight }
    default: 0
    }
  }
}
