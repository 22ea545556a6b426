extension ValueStream {
  /// The first value, then each that is not equivalent to the last one forwarded.
  ///
  /// `areEquivalent` is called with the last value forwarded and the new one, once per
  /// subscription and value but the first, on the thread that delivers.
  public func distinct(
    by areEquivalent: @escaping @Sendable (Value, Value) -> Bool
  ) -> any ValueStream<Value> {
    Derived(from: self) { sink in
      let last = OperatorMemory<Value?>(nil)
      return { value in
        let isNews = last.update { last in
          if let former = last, areEquivalent(former, value) { return false }
          last = value
          return true
        }
        if isNews == true { sink.receive(value) }
      }
    }
  }
}

extension ValueStream where Value: Equatable {
  /// The first value, then each that differs from the last one forwarded.
  public func distinct() -> any ValueStream<Value> { distinct(by: ==) }
}
