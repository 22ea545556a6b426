public import DataSources
import Ground

/// A data source of this package: its verbs are calls of one function (see `DataAccess`).
///
/// A call is made on the caller's thread; a store that waits for the system does so on a worker of
/// its own, and the caller goes on where he was.
public protocol AccessedDataSource<Value>: DataSource {
  /// What performs its calls.
  var access: Accessor<Value> { get }
}

/// The function that performs the calls of a data source; of use to this package alone.
public struct Accessor<Value: Sendable>: Sendable {
  package let access: DataAccess<Value>

  package init(_ access: DataAccess<Value>) { self.access = access }
}

extension AccessedDataSource {
  /// The object under a query.
  public func get(_ query: Query) async throws(DataSourceError) -> Value {
    try await access.object(.get, query, .none)
  }

  /// The list under a query.
  public func getAll(_ query: Query) async throws(DataSourceError) -> [Value] {
    try await access.list(.getAll, query, .none)
  }

  /// Stores one value; nil is for `object` queries only.
  @discardableResult
  public func put(_ value: Value?, in query: Query) async throws(DataSourceError) -> Value {
    try await access.object(.put, query, value.map { .object($0) } ?? .none)
  }

  /// Stores a list.
  @discardableResult
  public func putAll(_ values: [Value], in query: Query) async throws(DataSourceError) -> [Value] {
    try await access.list(.putAll, query, .list(values))
  }

  /// Removes what stands under a query.
  public func delete(_ query: Query) async throws(DataSourceError) {
    _ = try await access.payload(.delete, query, .none)
  }
}

extension Accessor {
  fileprivate func object(
    _ verb: Verb, _ query: Query, _ payload: CallPayload<Value>
  ) async throws(DataSourceError) -> Value {
    guard case .object(let value) = try await self.payload(verb, query, payload) else {
      throw DataSourceError(.unknown, "a data source answered with another shape")
    }
    return value
  }

  fileprivate func list(
    _ verb: Verb, _ query: Query, _ payload: CallPayload<Value>
  ) async throws(DataSourceError) -> [Value] {
    guard case .list(let values) = try await self.payload(verb, query, payload) else {
      throw DataSourceError(.unknown, "a data source answered with another shape")
    }
    return values
  }

  fileprivate func payload(
    _ verb: Verb, _ query: Query, _ payload: CallPayload<Value>
  ) async throws(DataSourceError) -> CallPayload<Value> {
    let cancellation = Cancellation()
    let answer: CallResult<Value> = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let call = Call(verb, query, payload, canceller: cancellation)
        access.perform(call) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try answer.get()
  }
}
