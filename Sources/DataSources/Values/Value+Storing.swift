public import Values

/// Any payload in a durable store: each has its own type, by which it is read back.
extension Value: StoredValue {
  /// None: each value has its own.
  public static var fixedType: StoredType? { nil }

  /// What a store can be told to hold; each value is of one of them.
  package static let storedTypes: [StoredType] = [
    .bool, .int, .double, .string, .bytes, .time, .vector, .list, .dict,
  ]

  /// The type of this payload.
  public var storedType: StoredType {
    switch self {
    case .none: "none"
    case .bool: .bool
    case .int: .int
    case .double: .double
    case .vector: .vector
    case .string: .string
    case .bytes: .bytes
    case .time: .time
    case .dictionary: .dict
    case .list: .list
    }
  }

  /// The payload as bytes, as other languages have it.
  public func storedBytes() throws(DataSourceError) -> [UInt8] {
    switch self {
    case .none: return []
    case .bool(let flag): return flag.storedBytes()
    case .int(let number), .time(let number): return number.storedBytes()
    case .double(let number): return number.storedBytes()
    case .vector(let vector):
      let parts: [Double?] = [vector.x, vector.y, vector.z, vector.w]
      return parts.flatMap { $0?.storedBytes() ?? [] }
    case .string(let text): return Array(text.utf8)
    case .bytes(let bytes): return bytes
    case .dictionary(let members):
      var writer = StoredBytesWriter()
      writer.put(members.count)
      for (name, value) in members {
        writer.put(Array(name.utf8))
        try writer.putValue(value)
      }
      return writer.bytes
    case .list(let items): return try Value.storedBytes(of: items)
    }
  }

  /// Reads a payload of any type that there is.
  public init?(storedBytes: [UInt8], of type: StoredType) throws(DataSourceError) {
    guard let value = try Value.read(storedBytes, type, inside: 0) else { return nil }
    self = value
  }

  /// Bytes that no store wrote may be nested so deep that reading them would overflow the stack.
  private static func read(
    _ bytes: [UInt8], _ type: StoredType, inside depth: Int
  ) throws(DataSourceError) -> Value? {
    if depth > Extent.depthLimit { throw .damaged }
    switch type {
    case "none": return Value.none
    case .bool: return try Bool(storedBytes: bytes, of: type).map { .bool($0) }
    case .int: return try Int64(storedBytes: bytes, of: type).map { .int($0) }
    case .time: return try Int64(storedBytes: bytes, of: .int).map { .time($0) }
    case .double: return try Double(storedBytes: bytes, of: type).map { .double($0) }
    case .vector: return .vector(try vector(bytes))
    case .string: return try String(storedBytes: bytes, of: type).map { .string($0) }
    case .bytes: return .bytes(bytes)
    case .dict, .list: break
    default: return nil
    }
    var reader = StoredBytesReader(bytes)
    var members = ValueDictionary()
    var items: [Value] = []
    for _ in 0..<(try reader.count()) {
      let name = type == .dict ? try reader.text() : ""
      let inner = StoredType(try reader.text())
      guard let value = try read(try reader.block(), inner, inside: depth + 1) else { return nil }
      if type == .dict { members[name] = value } else { items.append(value) }
    }
    try reader.finish()
    return type == .dict ? .dictionary(members) : .list(items)
  }

  private static func vector(_ bytes: [UInt8]) throws(DataSourceError) -> Vector {
    var parts: [Double] = []
    for start in stride(from: 0, to: min(bytes.count, 40), by: 8) {
      let part = Array(bytes[start..<min(start + 8, bytes.count)])
      guard let number = try Double(storedBytes: part, of: .double) else { throw .damaged }
      parts.append(number)
    }
    guard let vector = Vector(parts) else { throw .damaged }
    return vector
  }
}
