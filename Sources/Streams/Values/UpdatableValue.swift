/// A value that is held and can be set.
///
/// Setting is allowed on every thread, inside sinks too.
public protocol UpdatableValue<Value>: ObservableValue {
  /// The present value; setting one that is refused leaves the old value in place.
  var value: Value { get nonmutating set }

  /// Stores a value and announces it, in the open transaction or else in one of its own.
  ///
  /// It is refused, and nothing stored, when the cascade it belongs to is full.
  @discardableResult
  func set(_ value: Value) -> Delivery

  /// Runs `body` inside a transaction, which ends however `body` does.
  func withTransaction<Result>(_ body: () throws -> Result) rethrows -> Result

  /// Opens a transaction, or joins the one that is open.
  func begin()

  /// Ends one `begin`; the outermost end closes the transaction.
  ///
  /// Throws `notInTransaction`, and changes nothing, when none is open.
  func end() throws(StreamError)
}

extension UpdatableValue {
  /// Sets this value to each value of `stream`, its initial value included, until disconnected.
  public func subscribe(to stream: some ValueStream<Value>) -> Connection {
    stream.subscribe { value in self.set(value) }
  }
}
