extension ValueStream {
  /// Each value, transformed.
  ///
  /// `transform` is called once per subscription and value, on the thread that delivers.
  public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result
  ) -> any ValueStream<Result> {
    Derived(from: self) { sink in { sink.receive(transform($0)) } }
  }
}
