extension ValueStream {
  /// The values that satisfy a predicate.
  ///
  /// `isIncluded` is called once per subscription and value, on the thread that delivers.
  public func filter(
    _ isIncluded: @escaping @Sendable (Value) -> Bool
  ) -> any ValueStream<Value> {
    Derived(from: self) { sink in { if isIncluded($0) { sink.receive($0) } } }
  }
}
