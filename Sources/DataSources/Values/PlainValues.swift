extension Bool: StoredValue {
  /// `bool`.
  public static var fixedType: StoredType? { .bool }
  /// One byte, 0 or 1.
  public func storedBytes() -> [UInt8] { [self ? 1 : 0] }
  /// Reads 0 or 1.
  public init?(storedBytes: [UInt8], of type: StoredType) throws(DataSourceError) {
    guard type == .bool else { return nil }
    guard storedBytes.count == 1, storedBytes[0] < 2 else { throw .damaged }
    self = storedBytes[0] == 1
  }
}

extension Int64: StoredValue {
  /// `int`.
  public static var fixedType: StoredType? { .int }
  /// Eight bytes, the lowest first.
  public func storedBytes() -> [UInt8] { UInt64(bitPattern: self).storedBytes }
  /// Reads eight bytes.
  public init?(storedBytes: [UInt8], of type: StoredType) throws(DataSourceError) {
    guard type == .int else { return nil }
    self.init(bitPattern: try UInt64(storedBytes: storedBytes))
  }
}

extension Int: StoredValue {
  /// `int`.
  public static var fixedType: StoredType? { .int }
  /// As an `Int64`.
  public func storedBytes() -> [UInt8] { Int64(self).storedBytes() }
  /// As an `Int64`.
  public init?(storedBytes: [UInt8], of type: StoredType) throws(DataSourceError) {
    guard let number = try Int64(storedBytes: storedBytes, of: type) else { return nil }
    self = Int(truncatingIfNeeded: number)
  }
}

extension Double: StoredValue {
  /// `double`.
  public static var fixedType: StoredType? { .double }
  /// The eight bytes of its pattern, the lowest first.
  public func storedBytes() -> [UInt8] { bitPattern.storedBytes }
  /// Reads eight bytes.
  public init?(storedBytes: [UInt8], of type: StoredType) throws(DataSourceError) {
    guard type == .double else { return nil }
    self.init(bitPattern: try UInt64(storedBytes: storedBytes))
  }
}

extension String: StoredValue {
  /// `string`.
  public static var fixedType: StoredType? { .string }
  /// Its UTF-8.
  public func storedBytes() -> [UInt8] { Array(utf8) }
  /// Reads UTF-8.
  public init?(storedBytes: [UInt8], of type: StoredType) throws(DataSourceError) {
    guard type == .string else { return nil }
    guard let text = String(validating: storedBytes, as: UTF8.self) else { throw .damaged }
    self = text
  }
}

extension Array: StoredElement, StoredValue where Element: StoredElement {
  /// `list`, or `bytes` for an array of bytes.
  public static var fixedType: StoredType? { Element.storedArrayType }
  /// As the elements have it.
  public func storedBytes() throws(DataSourceError) -> [UInt8] {
    try Element.storedBytes(of: self)
  }
  /// As the elements have it; nil also when an element has another type.
  public init?(storedBytes: [UInt8], of type: StoredType) throws(DataSourceError) {
    guard type == Element.storedArrayType,
      let array = try Element.array(storedBytes: storedBytes)
    else { return nil }
    self = array
  }
}

extension Dictionary: StoredElement, StoredValue where Key == String, Value: StoredValue {
  /// `dict`.
  public static var fixedType: StoredType? { .dict }
  /// How many there are, and each name with its value and type, in the order of names.
  public func storedBytes() throws(DataSourceError) -> [UInt8] {
    var writer = StoredBytesWriter()
    writer.put(count)
    for (name, value) in sorted(by: { EntryID($0.key) < EntryID($1.key) }) {
      writer.put(Array(name.utf8))
      try writer.putValue(value)
    }
    return writer.bytes
  }
  /// Reads the members; nil also when one has another type.
  public init?(storedBytes: [UInt8], of type: StoredType) throws(DataSourceError) {
    guard type == .dict else { return nil }
    var reader = StoredBytesReader(storedBytes)
    self = [:]
    for _ in 0..<(try reader.count()) {
      let name = try reader.text()
      guard let value = try reader.value(Value.self) else { return nil }
      self[name] = value
    }
    try reader.finish()
  }
}

extension UInt64 {
  fileprivate var storedBytes: [UInt8] {
    withUnsafeBytes(of: littleEndian) { Array($0) }
  }

  fileprivate init(storedBytes: [UInt8]) throws(DataSourceError) {
    guard storedBytes.count == 8 else { throw .damaged }
    self = storedBytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
