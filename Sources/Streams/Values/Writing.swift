/// How a derived value is written: its transactions and sets act on its origins.
struct Writing<Value: Sendable>: Sendable {
  let origins: Origins
  let set: @Sendable (Value) -> Delivery
}

/// The values behind an updatable one.
struct Origins: Sendable {
  let begin: @Sendable () -> Void
  let end: @Sendable () -> StreamError?
  let phase: @Sendable () -> TransactionPhase

  /// Always the same values.
  init(_ values: [any UpdatableValue]) {
    phase = { values.reduce(TransactionPhase()) { $0 | $1.presentPhase } }
    begin = { for value in values { value.begin() } }
    end = {
      // All or none: if one is known to be closed, none of the others is ended.
      let isClosed = { (value: any UpdatableValue) in
        value is any Origin && !value.presentPhase.isOpen
      }
      if values.contains(where: isClosed) { return .notInTransaction }
      return values.reversed().reduce(nil) { error, value in value.tryEnd() ?? error }
    }
  }

  init(
    begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> StreamError?,
    phase: @escaping @Sendable () -> TransactionPhase
  ) {
    self.begin = begin
    self.end = end
    self.phase = phase
  }

  /// Runs `body` in one transaction of all of them.
  func inTransaction<Result>(_ body: () -> Result) -> Result {
    begin()
    defer { _ = end() }
    return body()
  }
}

extension UpdatableValue {
  /// Ends one `begin`; returns the error if it cannot.
  func tryEnd() -> StreamError? {
    do throws(StreamError) {
      try end()
      return nil
    } catch { return error }
  }

  /// Runs `body` inside a transaction, which ends however `body` does.
  public func withTransaction<Result>(_ body: () throws -> Result) rethrows -> Result {
    begin()
    defer { _ = tryEnd() }
    return try body()
  }
}

/// A derived value that can be written.
struct WrittenThrough<Value: Sendable>: UpdatableValue, OrderedStream, Origin {
  let view: any ObservableValue<Value>
  let writing: Writing<Value>

  init(
    _ view: any ObservableValue<Value>, origins: Origins,
    set: @escaping @Sendable (Value) -> Delivery
  ) {
    self.view = view
    writing = Writing(origins: origins, set: set)
  }

  var subscriberCount: Int { (view as? any OrderedStream)?.subscriberCount ?? 0 }

  var cascadeLimit: Int {
    get { (view as? any OrderedStream)?.cascadeLimit ?? .max }
    nonmutating set { (view as? any OrderedStream)?.cascadeLimit = newValue }
  }

  var value: Value {
    get { view.value }
    nonmutating set { set(newValue) }
  }

  var updates: any ValueStream<TransactionEvent<ValueChange<Value>>> { view.updates }

  var phase: TransactionPhase { view.presentPhase | writing.origins.phase() }

  func subscribe(_ sink: Sink<Value>) -> Connection { view.subscribe(sink) }

  @discardableResult
  func set(_ value: Value) -> Delivery { writing.set(value) }

  func begin() { writing.origins.begin() }

  func end() throws(StreamError) {
    if let error = writing.origins.end() { throw error }
  }

  func follow(_ follower: Follower<Value>) -> (connection: Connection, value: Value) {
    view.startFollowing(follower)
  }
}

extension Delivery {
  /// The outcome of two values sent as one: the worse of the two.
  static func & (left: Delivery, right: Delivery) -> Delivery {
    switch (left, right) {
    case (.refused, _), (.queued, .delivered): left
    default: right == .delivered ? left : right
    }
  }
}
