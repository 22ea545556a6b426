import AsyncDataSources
import DataSources
import Ground

/// A data source as a user writes one: it notes its calls and fails when told.
final class RecordingSource: DataSource {
  private let store = InMemoryDataSource<Int>()
  private let notes = Monitor<[String]>([])
  private let failures = Monitor<[DataSourceError]>([])

  /// The calls so far.
  var calls: [String] { notes.withLock { $0 } }

  /// The codes the next calls fail with.
  func fail(with codes: DataSourceError.Code...) {
    failures.withLock { $0 += codes.map { DataSourceError($0) } }
  }

  func get(_ query: Query) async throws(DataSourceError) -> Int {
    try note("get")
    return try await store.get(query)
  }

  func getAll(_ query: Query) async throws(DataSourceError) -> [Int] {
    try note("getAll")
    return try await store.getAll(query)
  }

  func put(_ value: Int?, in query: Query) async throws(DataSourceError) -> Int {
    try note("put \(value.map(String.init) ?? "null")")
    return try await store.put(value, in: query)
  }

  func putAll(_ values: [Int], in query: Query) async throws(DataSourceError) -> [Int] {
    try note("putAll \(values)")
    return try await store.putAll(values, in: query)
  }

  func delete(_ query: Query) async throws(DataSourceError) {
    try note("delete")
    try await store.delete(query)
  }

  private func note(_ call: String) throws(DataSourceError) {
    notes.withLock { $0.append(call) }
    if let error = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
  }
}

/// The code of what a call fails with; nil if it has an answer.
func code(_ call: () async throws(DataSourceError) -> Void) async -> DataSourceError.Code? {
  await failure(call)?.code
}

/// What a call fails with; nil if it has an answer.
func failure(_ call: () async throws(DataSourceError) -> Void) async -> DataSourceError? {
  do throws(DataSourceError) {
    try await call()
    return nil
  } catch {
    return error
  }
}
