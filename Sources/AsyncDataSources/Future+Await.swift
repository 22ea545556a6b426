public import DataSources

extension Future {
  /// The value, once there is a result; throws its error. May be asked any number of times.
  public func get() async throws(DataSourceError) -> Value {
    if let outcome { return try outcome.get() }
    let outcome: Outcome = await withUnsafeContinuation { continuation in
      onCompletion { continuation.resume(returning: $0) }
    }
    return try outcome.get()
  }
}
