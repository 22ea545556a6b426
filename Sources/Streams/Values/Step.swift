/// An item of a variable's broadcaster: a part of a transaction, or an initial value.
enum Step<Value: Sendable>: Sendable {
  case initial(Value)
  case begin
  case change(ValueChange<Value>)
  /// The transaction is over; `changedAt` is the place of its last change, 0 without any.
  case end(latest: Value, changedAt: UInt64)
}
