extension ValueStream {
  /// Each value, transformed, without the results that are nil.
  ///
  /// `transform` is called once per subscription and value, on the thread that delivers.
  public func compactMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result?
  ) -> any ValueStream<Result> {
    Derived(from: self) { sink in { if let result = transform($0) { sink.receive(result) } } }
  }
}
