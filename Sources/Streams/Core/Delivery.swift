/// The outcome of a send.
public enum Delivery: Equatable, Sendable {
  /// Every subscriber has received the value.
  case delivered
  /// It has its place in the order; the sender that is draining the stream delivers it.
  case queued
  /// It was neither stored nor queued.
  case refused(StreamError)
}

/// Why a stream refused a call.
///
/// None of these is fatal: the stream stays as it was and stays usable.
public enum StreamError: Error, Equatable, Sendable {
  /// The cascade of the value being delivered has reached the stream's `cascadeLimit`.
  case cascadeLimit
  /// The call is not possible inside a transaction.
  case transactionOpen
  /// A transaction was ended that is not open.
  case notInTransaction
  /// The stream does not support the operation, such as being set.
  case notSupported
  /// The value is of a type that the port of a patch does not take.
  case typeMismatch
  /// The port was removed, or its context is closed.
  case closed
  /// A list has no such index.
  case indexOutOfRange(Int)
  /// A change is not one of this list: this modification of it, the first, does not fit; nil where
  /// there are more or fewer elements.
  case changeMismatch(Int?)
  /// A list or set may not have so many elements.
  case limit
}
