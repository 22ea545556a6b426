public import DataSources
public import Ground
import Streams

/// The same entries as values of another type.
///
/// `put` maps inwards, each value once, before the inner source is called. An error of a mapper
/// that is a `DataSourceError` is the call's; another becomes `serialization` with it as cause.
public struct DataSourceMapper<Inner: DataSource, Value: Sendable>: AccessedDataSource {
  /// What performs its calls.
  public let access: Accessor<Value>

  /// Maps what is answered outwards by `to`, and what is stored inwards by `from`.
  public init(
    _ inner: Inner, to: @escaping @Sendable (Inner.Value) throws -> Value,
    from: @escaping @Sendable (Value) throws -> Inner.Value
  ) {
    access = Accessor(inner.dataAccess.mapped(to: to, from: from))
  }
}

/// The same entries under other queries; each verb may have a function of its own.
public struct DataSourceQueryMapper<Inner: DataSource>: AccessedDataSource {
  /// What a query becomes.
  public typealias Change = @Sendable (Query) throws -> Query

  /// What it holds.
  public typealias Value = Inner.Value
  /// What performs its calls.
  public let access: Accessor<Value>

  /// Changes the queries of those verbs that have a function; the rest pass.
  public init(
    _ inner: Inner, get: Change? = nil, getAll: Change? = nil, put: Change? = nil,
    putAll: Change? = nil, delete: Change? = nil
  ) {
    let access = inner.dataAccess.queryMapped { verb, query in
      let change =
        switch verb {
        case .get: get
        case .getAll: getAll
        case .put: put
        case .putAll: putAll
        case .delete: delete
        }
      return try change?(query) ?? query
    }
    self.access = Accessor(access)
  }
}

/// The same entries, of which only valid ones are answered.
///
/// One bad element makes a list `notValid`. Writes pass unchecked unless `validatePut`; then a bad
/// one does not reach the inner source.
public struct DataSourceValidator<Inner: DataSource>: AccessedDataSource {
  /// What it holds.
  public typealias Value = Inner.Value
  /// What performs its calls.
  public let access: Accessor<Value>

  /// Asks `isValid` for every value; what it throws makes the value invalid.
  public init(
    _ inner: Inner, emptyListIsValid: Bool = true, validatePut: Bool = false,
    isValid: @escaping @Sendable (Inner.Value) throws -> Bool
  ) {
    let check = Check(emptyListIsValid: emptyListIsValid, isValid)
    access = Accessor(inner.dataAccess.validated(check, checksPut: validatePut))
  }
}

/// One data source of up to three: a missing part has no verb, as a `VoidDataSource`.
public struct DataSourceAssembler<Value: Sendable>: AccessedDataSource {
  /// What performs its calls.
  public let access: Accessor<Value>

  /// Reads from one, writes to another, deletes from a third.
  public init(
    get: (any GetDataSource<Value>)? = nil, put: (any PutDataSource<Value>)? = nil,
    delete: (any DeleteDataSource)? = nil
  ) {
    access = Accessor(
      .assembled(
        get: get?.dataAccess, put: put?.dataAccess,
        delete: delete.map { DataAccess(deletingBy: $0) }))
  }
}

/// The same entries, asked for again when a call fails.
public struct RetryDataSource<Inner: DataSource>: AccessedDataSource {
  /// What it holds.
  public typealias Value = Inner.Value
  /// What performs its calls.
  public let access: Accessor<Value>

  /// Allows `retries` further attempts, as long as `condition` agrees, but never after `cancelled`.
  ///
  /// A negative number or back-off is `illegalArgument`.
  public init(
    _ inner: Inner, _ retries: Int, backOff: BackOff = .none, clock: any Clock,
    if condition: @escaping RetryCondition = { _, _ in true }
  ) throws(DataSourceError) {
    let access = inner.dataAccess
    self.access = Accessor(
      try access.retrying(retries, backOff: backOff, clock: clock, if: condition))
  }
}

/// The same entries, each kept for a while after it was answered.
///
/// Reads of one key and shape that overlap share one inner call. Writes keep what the inner source
/// answered; a failure keeps nothing.
public struct TimedCacheDataSource<Inner: DataSource>: AccessedDataSource {
  /// What it holds.
  public typealias Value = Inner.Value
  /// What performs its calls.
  public let access: Accessor<Value>

  /// Keeps answers until they are `expiry` old, of at most `capacity` keys; nil is no limit.
  public init(
    _ inner: Inner, expiry: Duration = .seconds(300), capacity: Int? = nil, clock: any Clock
  ) {
    access = Accessor(inner.dataAccess.cached(expiry: expiry, capacity: capacity, clock: clock))
  }
}

/// The same entries, with one line in a log for each call: verb, query, outcome, duration.
public struct DebugDataSource<Inner: DataSource>: AccessedDataSource {
  /// What it holds.
  public typealias Value = Inner.Value
  /// What performs its calls.
  public let access: Accessor<Value>

  /// May delay each call and fail a share of them, from 0 to 1, chosen by `seed`. Values are logged
  /// only with `logsValues`; without a `log` the lines go to the standard output.
  public init(
    _ inner: Inner, delay: Duration = .zero, failureShare: Double = 0, seed: UInt64 = 0,
    logsValues: Bool = false, clock: any Clock,
    log: @escaping @Sendable (String) -> Void = { print($0) }
  ) {
    var options = DebugOptions()
    options.delay = delay
    options.failureShare = failureShare
    options.seed = seed
    options.logsValues = logsValues
    access = Accessor(inner.dataAccess.logged(options, clock: clock, log: log))
  }
}

extension DataSource {
  /// The same entries as values of another type.
  public func map<Outer: Sendable>(
    to: @escaping @Sendable (Value) throws -> Outer,
    from: @escaping @Sendable (Outer) throws -> Value
  ) -> DataSourceMapper<Self, Outer> { DataSourceMapper(self, to: to, from: from) }

  /// The same entries, of which only valid ones are answered.
  public func validated(
    emptyListIsValid: Bool = true, validatePut: Bool = false,
    isValid: @escaping @Sendable (Value) throws -> Bool
  ) -> DataSourceValidator<Self> {
    DataSourceValidator(
      self, emptyListIsValid: emptyListIsValid, validatePut: validatePut, isValid: isValid)
  }

  /// The same entries, asked for up to `retries` times more when a call fails.
  public func retrying(
    _ retries: Int, backOff: BackOff = .none, clock: any Clock,
    if condition: @escaping RetryCondition = { _, _ in true }
  ) throws(DataSourceError) -> RetryDataSource<Self> {
    try RetryDataSource(self, retries, backOff: backOff, clock: clock, if: condition)
  }

  /// The same entries, each kept until it is `expiry` old, of at most `capacity` keys.
  public func cached(
    expiry: Duration = .seconds(300), capacity: Int? = nil, clock: any Clock
  ) -> TimedCacheDataSource<Self> {
    TimedCacheDataSource(self, expiry: expiry, capacity: capacity, clock: clock)
  }
}
