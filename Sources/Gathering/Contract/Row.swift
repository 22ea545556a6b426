package import CGatheredKit
import Values

/// One sample as the C interface has it (`gkit_sample`): 80 bytes without references.
package typealias Row = gkit_sample

extension gkit_value {
  /// A value without text, bytes or members.
  @inline(__always)
  init(number value: Value) {
    self.init()
    switch value {
    case .bool(let flag):
      type = ValueType.bool.rawValue
      self.as.boolean = flag
    case .int(let number):
      type = ValueType.int.rawValue
      self.as.integer = number
    case .time(let moment):
      type = ValueType.time.rawValue
      self.as.integer = moment
    case .double(let number):
      type = ValueType.double.rawValue
      self.as.number = number
    case .vector(let vector):
      type = ValueType.vector.rawValue
      count = UInt32(vector.count)
      self.as.vector = Self.parts(of: vector)
    case .none, .string, .bytes, .dictionary, .list: break
    }
  }

  /// The number, the flag or the vector; nil for a text and bytes.
  var number: Value? {
    switch ValueType(rawValue: type) {
    case .bool: .bool(self.as.boolean)
    case .int: .int(self.as.integer)
    case .time: .time(self.as.integer)
    case .double: .double(self.as.number)
    case .vector: vector.map(Value.vector)
    case .none?: Value.none
    case .string, .bytes, .dictionary, .list, nil: nil
    }
  }

  /// Whether it points to a text or bytes.
  var isText: Bool {
    type == ValueType.string.rawValue || type == ValueType.bytes.rawValue
  }

  private var vector: Vector? {
    let parts = self.as.vector
    return switch count {
    case 2: Vector(parts.0, parts.1)
    case 3: Vector(parts.0, parts.1, parts.2)
    case 4: Vector(parts.0, parts.1, parts.2, parts.3)
    default: nil
    }
  }

  /// The components of a vector, 0 where there is none.
  @inline(__always)
  static func parts(of vector: Vector) -> (Double, Double, Double, Double) {
    (vector.x, vector.y, vector.z ?? 0, vector.w ?? 0)
  }

  /// Whether it is the vector of these components (streams L69).
  @inline(__always)
  func hasParts(_ parts: (Double, Double, Double, Double), _ count: UInt32) -> Bool {
    let own = self.as.vector
    let same = { (left: Double, right: Double) in left == right || left.isNaN && right.isNaN }
    return self.count == count && same(own.0, parts.0) && same(own.1, parts.1)
      && same(own.2, parts.2) && same(own.3, parts.3)
  }

  /// Whether both are the same number, flag or vector (streams L69).
  @inline(__always)
  func isSameNumber(as other: gkit_value) -> Bool {
    guard type == other.type else { return false }
    switch ValueType(rawValue: type) {
    case .int, .time: return self.as.integer == other.as.integer
    case .double: return self.as.number == other.as.number || hasNaN && other.hasNaN
    case .bool: return self.as.boolean == other.as.boolean
    case .none?: return true
    default: return number == other.number
    }
  }

  private var hasNaN: Bool { self.as.number.isNaN }
}
