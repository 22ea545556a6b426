import Values

/// A number or a flag that was just read and is good, with nothing else to say about it: what most
/// outcomes are, without references.
struct PlainNumber: Sendable {
  /// The types there are, numbered as `ValueType`.
  enum Form: UInt32 {
    case none = 0
    case bool = 1
    case int = 2
    case double = 3
  }

  /// The type of the payload; `.none` where there is no plain number.
  private(set) var type: Form
  /// The whole number, the bits of a double, or 0 and 1 for a flag.
  private(set) var bits: Int64

  /// No plain number.
  static let none = PlainNumber(type: .none, bits: 0)

  private init(type: Form, bits: Int64) {
    self.type = type
    self.bits = bits
  }

  init(_ number: Int64) { self.init(type: .int, bits: number) }

  init(_ number: Double) { self.init(type: .double, bits: Int64(bitPattern: number.bitPattern)) }

  init(_ flag: Bool) { self.init(type: .bool, bits: flag ? 1 : 0) }

  /// The number of an outcome; nil where it is no number, or where more is said about it.
  init?(_ outcome: borrowing Outcome) {
    guard outcome.status == .ok, !outcome.isLowAccuracy, outcome.absence == nil,
      outcome.stamp == nil, outcome.stampOrigin == .kernel, outcome.marks.isEmpty
    else { return nil }
    switch outcome.value {
    case .int(let number): self.init(number)
    case .double(let number): self.init(number)
    case .bool(let flag): self.init(flag)
    default: return nil
    }
  }

  /// Whether both are of one type and have the same bits.
  @inline(__always)
  func isSame(as other: PlainNumber) -> Bool { type == other.type && bits == other.bits }

  /// Whether there is no plain number.
  var isNone: Bool { type == .none }

  /// The whole number, if it is one.
  var whole: Int64? { type == .int ? bits : nil }

  /// The number as a double; nil for a flag.
  var double: Double? {
    switch type {
    case .int: Double(bits)
    case .double: Double(bitPattern: UInt64(bitPattern: bits))
    case .none, .bool: nil
    }
  }

  /// The flag, if it is one.
  var flag: Bool? { type == .bool ? bits != 0 : nil }

  /// It as an outcome; nil where there is none.
  var outcome: Outcome? {
    switch type {
    case .int: .ok(.int(bits))
    case .double: .ok(.double(Double(bitPattern: UInt64(bitPattern: bits))))
    case .bool: .ok(.bool(bits != 0))
    case .none: nil
    }
  }
}
