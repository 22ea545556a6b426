public import DataSources

/// Decides between a main data source and a cache, call by call.
///
/// Built from one data source it ignores the operation.
public struct Repository<Value: Sendable>: Sendable {
  private let core: RepositoryAccess<Value>

  /// Joins two data sources; `validator` decides about what comes from the cache, and a cache that
  /// cannot be refreshed on a read is reported to `onCacheFailure`.
  public init(
    main: any DataSource<Value>, cache: (any DataSource<Value>)? = nil,
    validator: Validation<Value> = .none,
    onCacheFailure: @escaping @Sendable (DataSourceError) -> Void = { _ in }
  ) {
    core = RepositoryAccess(
      main: main.dataAccess, cache: cache?.dataAccess, validation: validator,
      onCacheFailure: onCacheFailure)
  }

  /// The object under a query.
  public func get(
    _ query: Query, _ operation: Operation = .default
  ) async throws(DataSourceError) -> Value { try await by(operation).get(query) }

  /// The list under a query.
  public func getAll(
    _ query: Query, _ operation: Operation = .default
  ) async throws(DataSourceError) -> [Value] { try await by(operation).getAll(query) }

  /// Stores one value; nil is for `object` queries only.
  @discardableResult
  public func put(
    _ value: Value?, in query: Query, _ operation: Operation = .default
  ) async throws(DataSourceError) -> Value { try await by(operation).put(value, in: query) }

  /// Stores a list.
  @discardableResult
  public func putAll(
    _ values: [Value], in query: Query, _ operation: Operation = .default
  ) async throws(DataSourceError) -> [Value] { try await by(operation).putAll(values, in: query) }

  /// Removes what stands under a query.
  public func delete(
    _ query: Query, _ operation: Operation = .default
  ) async throws(DataSourceError) { try await by(operation).delete(query) }

  /// The same as `delete`.
  public func deleteAll(
    _ query: Query, _ operation: Operation = .default
  ) async throws(DataSourceError) { try await delete(query, operation) }

  /// A data source whose calls all go by one operation.
  public func by(_ operation: Operation = .default) -> some DataSource<Value> {
    RoutedDataSource(
      access: Accessor(
        DataAccess { [core] call, reply in core.perform(call, operation, reply) }))
  }
}

/// The calls of a repository by one operation.
private struct RoutedDataSource<Value: Sendable>: AccessedDataSource {
  let access: Accessor<Value>
}
