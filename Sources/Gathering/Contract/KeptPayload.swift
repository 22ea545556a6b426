import Values

/// Types of values as numbers, written out so that they cost no call.
@usableFromInline
enum TypeNumber {
  @inlinable static var int: UInt32 { 2 }
  @inlinable static var double: UInt32 { 3 }
  @inlinable static var vector: UInt32 { 4 }
  @inlinable static var string: UInt32 { 5 }
  @inlinable static var time: UInt32 { 7 }

  /// Whether each word is a value of the type.
  @inline(__always)
  static func isOfOneWord(_ type: UInt32) -> Bool { type == int || type == double || type == time }
}

/// A payload that a row has no room for: a container, or a text beside a reason.
final class KeptPayload: Sendable {
  let value: Value
  /// What the row points to; nil for a container.
  let text: LentText?
  let absence: Absence?

  init(_ value: Value, _ text: LentText?, _ absence: Absence?) {
    self.value = value
    self.text = text
    self.absence = absence
  }
}
