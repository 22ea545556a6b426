/// One payload of any type a source, a stream or a patch can carry.
///
/// Equality follows streams L69: same type and same content. `int(1)` and `double(1)` differ, NaN
/// equals NaN, 0.0 equals −0.0, and texts are compared byte by byte; hashing agrees with it.
public enum Value: Sendable {
  /// No payload (null).
  case none
  /// True or false.
  case bool(Bool)
  /// A whole number of 64 bits, with sign.
  case int(Int64)
  /// A floating-point number.
  case double(Double)
  /// Two to four numbers that belong together.
  case vector(Vector)
  /// UTF-8 text.
  case string(String)
  /// Bytes without further meaning.
  case bytes([UInt8])
  /// A moment, in nanoseconds since 1970-01-01T00:00:00Z.
  case time(Int64)
  /// Named values, in order.
  case dictionary(ValueDictionary)
  /// Values in order.
  case list([Value])
}

/// The type of a `Value`, numbered as `GKIT_TYPE_…` in C.
public enum ValueType: UInt32, Sendable, Hashable, CaseIterable {
  /// No payload.
  case none = 0
  /// `Value.bool`.
  case bool = 1
  /// `Value.int`.
  case int = 2
  /// `Value.double`.
  case double = 3
  /// `Value.vector`.
  case vector = 4
  /// `Value.string`.
  case string = 5
  /// `Value.bytes`.
  case bytes = 6
  /// `Value.time`.
  case time = 7
  /// `Value.dictionary`.
  case dictionary = 8
  /// `Value.list`.
  case list = 9
}

extension Value {
  /// Which of the ten types this value has.
  public var type: ValueType {
    switch self {
    case .none: .none
    case .bool: .bool
    case .int: .int
    case .double: .double
    case .vector: .vector
    case .string: .string
    case .bytes: .bytes
    case .time: .time
    case .dictionary: .dictionary
    case .list: .list
    }
  }

  /// The word for its type in messages.
  public var typeWord: String {
    switch self {
    case .none: "null"
    case .bool: "bool"
    case .int: "int"
    case .double: "double"
    case .vector: "vector"
    case .string: "string"
    case .bytes: "bytes"
    case .time: "time"
    case .dictionary: "dict"
    case .list: "list"
    }
  }

  /// The number of an `int` or a `double`; nil for every other type.
  public var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The content of a `string`; nil for every other type.
  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The content of a `vector`; nil for every other type.
  public var vector: Vector? {
    if case .vector(let vector) = self { vector } else { nil }
  }
}

extension Value: Hashable {
  /// Whether both have the same type and the same content (streams L69).
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left), .double(let right)): left.isSameContent(as: right)
    case (.vector(let left), .vector(let right)): left == right
    case (.string(let left), .string(let right)): ExactText(left) == ExactText(right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.time(let left), .time(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    default: false
    }
  }

  /// Feeds type and content, so that equal values hash alike.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .none: break
    case .bool(let flag): hasher.combine(flag)
    case .int(let number), .time(let number): hasher.combine(number)
    case .double(let number): number.hashContent(into: &hasher)
    case .vector(let vector): hasher.combine(vector)
    case .string(let text): hasher.combine(ExactText(text))
    case .bytes(let bytes):
      hasher.combine(bytes.count)
      // At once: an array feeds byte by byte.
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    case .dictionary(let members): hasher.combine(members)
    case .list(let items): hasher.combine(items)
    }
  }
}

extension Double {
  /// Equality as streams L69 has it: NaN equals NaN, 0.0 equals −0.0.
  func isSameContent(as other: Double) -> Bool {
    self == other || (isNaN && other.isNaN)
  }

  /// Feeds one pattern for every NaN; the standard hash already treats both zeros alike.
  func hashContent(into hasher: inout Hasher) {
    hasher.combine(isNaN ? Double.nan.bitPattern : (self == 0 ? 0 : bitPattern))
  }
}
