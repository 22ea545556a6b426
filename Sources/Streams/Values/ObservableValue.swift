/// A value that is held and changes, for anyone who looks or subscribes.
///
/// Changes come in transactions. Subscribing to the observable itself means `values`.
public protocol ObservableValue<Value>: ValueStream {
  /// The present value, containing every change announced so far.
  ///
  /// During a delivery it may already be newer than the value the sinks have received.
  var value: Value { get }

  /// The begin, each change as it is made, and the end of every transaction.
  ///
  /// A sink that subscribes during a transaction receives a begin at once; one that leaves during a
  /// transaction receives an end.
  var updates: any ValueStream<TransactionEvent<ValueChange<Value>>> { get }
}

extension ObservableValue {
  /// The present value first, then the newest at the end of every transaction that changed it.
  public var values: any ValueStream<Value> { self }

  /// The newest value at the end of every transaction that changed it.
  public var futureValues: any ValueStream<Value> { FutureValues(origin: self) }

  /// One change at the end of every transaction that made any, from the first old value to the
  /// last new one.
  ///
  /// A sink that leaves during a transaction receives the change up to then.
  public var changes: any ValueStream<ValueChange<Value>> { MergedChanges(updates: updates) }

  /// Fires at the end of every transaction, whether it changed anything or not.
  public var tick: any ValueStream<Void> { Ticks(updates: updates) }
}
