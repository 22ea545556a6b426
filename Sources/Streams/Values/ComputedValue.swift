/// A value stored elsewhere, which is read through a getter and written through a setter.
///
/// `refresh` reports a change that was not made through this object. Getter and setter are called
/// on the thread that reads or writes the value.
public final class ComputedValue<Value: Sendable>: UpdatableValue {
  /// Holds the last value reported, which is the old value of the next change.
  let broadcaster: Broadcaster<Step<Value>, Transaction<Value>>
  let receivers = Receivers<Value>()
  private let getter: @Sendable () -> Value
  private let setter: (@Sendable (Value) -> Void)?
  private let refreshing = SerialEventQueue<Void>()

  /// Makes a value out of a getter and, if it can be written, a setter.
  public init(
    get getter: @escaping @Sendable () -> Value, set setter: (@Sendable (Value) -> Void)? = nil
  ) {
    broadcaster = Broadcaster(cascadeLimit: 100_000, held: Transaction(getter()))
    self.getter = getter
    self.setter = setter
  }

  /// The present value of the getter; setting it calls the setter and reports the change.
  public var value: Value {
    get { getter() }
    set { set(newValue) }
  }

  /// Reports the step from the last reported value to the present one, in a transaction.
  public func refresh() {
    // One at a time, or an older reading could be reported after a newer one.
    refreshing.pass((), counts: true) { _, hasRoom in
      let present = getter()
      _ = broadcaster.place { state, isInside -> Transaction<Value>.Spent in
        guard hasRoom else { return state.held.store(present) }
        return state.held.report(present, in: &state.queue, isInside: isInside)
      }
    }
  }

  /// Calls the setter and reports the change; refused as `notSupported` without a setter.
  @discardableResult
  public func set(_ value: Value) -> Delivery {
    guard let setter else { return .refused(.notSupported) }
    setter(value)
    refresh()
    return ownPhase.isBusy ? .queued : .delivered
  }

  /// Opens a transaction, or joins the one that is open.
  public func begin() {
    _ = broadcaster.place { state, isInside in
      state.held.begin(in: &state.queue, isInside: isInside)
    }
  }

  /// Ends one `begin`; the outermost end closes the transaction.
  ///
  /// Throws `notInTransaction`, and changes nothing, when none is open.
  public func end() throws(StreamError) {
    let (isEnded, _) = broadcaster.place { state, isInside in
      state.held.end(in: &state.queue, isInside: isInside)
    }
    guard isEnded else { throw .notInTransaction }
  }

  /// Begin, each change as it is reported, and end of every transaction.
  public var updates: any ValueStream<TransactionEvent<ValueChange<Value>>> { Updates(owner: self) }

  /// Adds a sink, which receives the present value and then the newest of every transaction.
  public func subscribe(_ sink: Sink<Value>) -> Connection {
    joinValues(sink, initialValue: getter)
  }
}

extension ComputedValue: HeldValue {
  typealias Item = Step<Value>
  typealias Held = Transaction<Value>

  static func transaction(in held: Transaction<Value>) -> Transaction<Value>? { held }
}
