/// Puts counts, blocks and typed values one behind the other.
package struct StoredBytesWriter: Sendable {
  /// What has been put so far.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// A number that is not negative, seven bits a byte, the lowest first.
  package mutating func put(_ count: Int) {
    var rest = UInt(bitPattern: count)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// A block: its length and its bytes.
  package mutating func put(_ block: [UInt8]) {
    put(block.count)
    bytes += block
  }

  /// A value with its type.
  package mutating func putValue(_ value: some StoredValue) throws(DataSourceError) {
    put(Array(value.storedType.name.utf8))
    put(try value.storedBytes())
  }
}

/// Takes apart what a writer put together; anything else is `serialization`, whatever it is.
package struct StoredBytesReader: Sendable {
  private let bytes: [UInt8]
  private var place = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A number that is not negative; never more than the bytes that are left, of which each thing
  /// counted has at least one.
  package mutating func count() throws(DataSourceError) -> Int {
    var number: UInt = 0
    var shift: UInt = 0
    while place < bytes.count, shift < 63 {
      let byte = bytes[place]
      place += 1
      number |= UInt(byte & 0x7F) << shift
      if byte < 0x80 {
        guard number <= UInt(bytes.count - place) else { throw .damaged }
        return Int(number)
      }
      shift += 7
    }
    throw .damaged
  }

  /// A block.
  package mutating func block() throws(DataSourceError) -> [UInt8] {
    let length = try count()
    defer { place += length }
    return Array(bytes[place..<(place + length)])
  }

  /// A block that is text.
  package mutating func text() throws(DataSourceError) -> String {
    guard let text = String(validating: try block(), as: UTF8.self) else { throw .damaged }
    return text
  }

  /// A value with its type; nil when it is of another type.
  package mutating func value<Value: StoredValue>(
    _: Value.Type
  ) throws(DataSourceError) -> Value? {
    let type = StoredType(try text())
    return try Value(storedBytes: try block(), of: type)
  }

  /// Makes sure that nothing is left.
  package func finish() throws(DataSourceError) {
    if place != bytes.count { throw .damaged }
  }
}

extension DataSourceError {
  /// Stored bytes are not what was once written.
  package static var damaged: DataSourceError {
    DataSourceError(.serialization, "what is stored cannot be read")
  }
}
