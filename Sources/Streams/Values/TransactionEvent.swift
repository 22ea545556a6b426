/// One step of a transaction.
public enum TransactionEvent<Change: Sendable>: Sendable {
  /// The transaction has begun.
  case begin
  /// Something in it has changed.
  case change(Change)
  /// The transaction has ended.
  case end
}

extension TransactionEvent: Equatable where Change: Equatable {}

/// A step of a held value from one state to another.
public struct ValueChange<Value: Sendable>: Sendable {
  /// The value before.
  public let old: Value
  /// The value after; it may equal the one before.
  public let new: Value

  /// Makes the change from `old` to `new`.
  public init(old: Value, new: Value) {
    self.old = old
    self.new = new
  }
}

extension ValueChange: Equatable where Value: Equatable {}
