/// The name of a type that entries of durable stores carry (data sources L24).
public struct StoredType: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The name, as it is stored.
  public let name: String

  /// The type of a name.
  public init(_ name: String) { self.name = name }

  /// The type of a name.
  public init(stringLiteral name: String) { self.name = name }

  /// True or false; one byte.
  public static let bool: StoredType = "bool"
  /// A whole number; eight bytes, the lowest first.
  public static let int: StoredType = "int"
  /// A floating-point number; the eight bytes of its pattern, the lowest first.
  public static let double: StoredType = "double"
  /// Text; its UTF-8.
  public static let string: StoredType = "string"
  /// Bytes.
  public static let bytes: StoredType = "bytes"
  /// A moment; nanoseconds since 1970 as an int.
  public static let time: StoredType = "time"
  /// Two to four numbers, each as a double.
  public static let vector: StoredType = "vector"
  /// Values, each with its type.
  public static let list: StoredType = "list"
  /// Named values, each with its type.
  public static let dict: StoredType = "dict"
}

/// A value that durable stores can keep: it tells its type, and turns into bytes and back.
///
/// Plain Swift values conform, and arrays and dictionaries of them. A type of one's own conforms by
/// a `fixedType` with a name of its own and the two conversions.
public protocol StoredValue: StoredElement {
  /// The one type that all values of this Swift type have; nil when each has its own, and a store
  /// without an explicit type reads entries of every type.
  static var fixedType: StoredType? { get }

  /// The type of this value.
  var storedType: StoredType { get }

  /// The value as bytes, without its type; throws `serialization` when it cannot be stored.
  func storedBytes() throws(DataSourceError) -> [UInt8]

  /// Reads a value back; nil when the entry has another type, which counts as absent. Throws
  /// `serialization` when the type is right and the bytes are damaged.
  init?(storedBytes: [UInt8], of type: StoredType) throws(DataSourceError)
}

extension StoredValue {
  /// The fixed type; a type without one says it for each value.
  public var storedType: StoredType { Self.fixedType ?? "any" }
}

/// What arrays of can be stored. Every `StoredValue` is, and so are bytes.
public protocol StoredElement: Sendable {
  /// The type of an array of these.
  static var storedArrayType: StoredType { get }
  /// An array of these as bytes.
  static func storedBytes(of array: [Self]) throws(DataSourceError) -> [UInt8]
  /// Reads an array back; nil when an element has another type.
  static func array(storedBytes: [UInt8]) throws(DataSourceError) -> [Self]?
}

extension StoredValue {
  /// A list, whatever its elements are.
  public static var storedArrayType: StoredType { .list }

  /// How many there are, and each with its type.
  public static func storedBytes(of array: [Self]) throws(DataSourceError) -> [UInt8] {
    var writer = StoredBytesWriter()
    writer.put(array.count)
    for element in array { try writer.putValue(element) }
    return writer.bytes
  }

  /// Reads the elements; nil when one has another type.
  public static func array(storedBytes: [UInt8]) throws(DataSourceError) -> [Self]? {
    var reader = StoredBytesReader(storedBytes)
    var elements: [Self] = []
    for _ in 0..<(try reader.count()) {
      guard let element = try reader.value(Self.self) else { return nil }
      elements.append(element)
    }
    try reader.finish()
    return elements
  }
}

extension UInt8: StoredElement {
  /// Bytes.
  public static var storedArrayType: StoredType { .bytes }
  /// The bytes themselves.
  public static func storedBytes(of array: [UInt8]) -> [UInt8] { array }
  /// The bytes themselves.
  public static func array(storedBytes: [UInt8]) -> [UInt8]? { storedBytes }
}
