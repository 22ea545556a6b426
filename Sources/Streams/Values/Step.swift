/// What the broadcaster of a variable delivers: the parts of a transaction, and initial values.
enum Step<Value: Sendable>: Sendable {
  case initial(Value)
  case begin
  case change(ValueChange<Value>)
  /// The transaction is over; `changedAt` is the place of its last change, 0 without any.
  case end(latest: Value, changedAt: UInt64)
}
