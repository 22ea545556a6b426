public import DataSources

/// What can be read.
public protocol GetDataSource<Value>: Sendable {
  /// What it holds.
  associatedtype Value: Sendable

  /// The object under a query; `notFound` when there is none or it is a list (L3).
  func get(_ query: Query) async throws(DataSourceError) -> Value

  /// The list under a query; `notFound` when there is none or it is an object (L3).
  func getAll(_ query: Query) async throws(DataSourceError) -> [Value]
}

/// What can be written.
public protocol PutDataSource<Value>: Sendable {
  /// What it holds.
  associatedtype Value: Sendable

  /// Stores one value and answers what is now stored; nil is for `object` queries only (L4).
  func put(_ value: Value?, in query: Query) async throws(DataSourceError) -> Value

  /// Stores a list and answers what is now stored; an empty list is one (L5).
  func putAll(_ values: [Value], in query: Query) async throws(DataSourceError) -> [Value]
}

/// What can be deleted from.
public protocol DeleteDataSource: Sendable {
  /// Removes what stands under a query; nothing there is no error (L3).
  func delete(_ query: Query) async throws(DataSourceError)
}

/// A place that values are kept in and found by queries: stores, decorators and your own. Every
/// call is allowed on every thread.
///
/// What every one of them promises (data sources 2.1 and 2.2):
///
/// - **One shape per key** (L2): a key holds an object or a list. `put` replaces a list, `putAll`
///   an object, `delete` removes either.
/// - **Absent is `notFound`** (L3); to delete what is not there succeeds.
/// - **An empty list is a list** (L5). **A `put` needs a value** (L4): without one it is
///   `illegalArgument`, except in an `object` query.
/// - **A call that fails has changed nothing** (L6), and no call aborts (L8).
/// - **Refusals come in one order** (L7): the query, its arguments, the entry.
/// - **Equal key text is the same entry** (L9), in every process, run and machine (L10).
/// - **Queries are a closed set** (L11): what a verb does not take is `queryNotSupported` (L12).
///
/// `DataSourceLaws` in GatheredKitTesting checks these promises of any data source.
public protocol DataSource<Value>: GetDataSource, PutDataSource, DeleteDataSource {}

extension GetDataSource {
  /// The object under an id.
  public func get(_ id: EntryID) async throws(DataSourceError) -> Value { try await get(.id(id)) }

  /// The list under an id.
  public func getAll(_ id: EntryID) async throws(DataSourceError) -> [Value] {
    try await getAll(.id(id))
  }
}

extension PutDataSource {
  /// Stores one value under an id.
  @discardableResult
  public func put(_ value: Value?, forId id: EntryID) async throws(DataSourceError) -> Value {
    try await put(value, in: .id(id))
  }

  /// Stores a list under an id.
  @discardableResult
  public func putAll(
    _ values: [Value], forId id: EntryID
  ) async throws(DataSourceError) -> [Value] {
    try await putAll(values, in: .id(id))
  }
}

extension DeleteDataSource {
  /// Removes what stands under an id.
  public func delete(_ id: EntryID) async throws(DataSourceError) { try await delete(.id(id)) }

  /// The same as `delete` (L1).
  public func deleteAll(_ query: Query) async throws(DataSourceError) { try await delete(query) }
}
