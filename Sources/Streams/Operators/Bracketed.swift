extension ValueStream {
  /// The same values, with a greeting for each who comes and a farewell for each who leaves.
  ///
  /// `hello` is asked once per subscriber for the first value it receives, `goodbye` once for the
  /// last, which it receives when it is detached; a nil answer is not sent. Both are called on the
  /// thread that delivers or disconnects.
  public func bracketed(
    hello: (@Sendable () -> Value?)? = nil, goodbye: (@Sendable () -> Value?)? = nil
  ) -> any ValueStream<Value> {
    var stream = Seated(self, Unchanged<Value>())
    stream.hello = hello
    stream.goodbye = goodbye
    return stream
  }
}

/// Hands on what comes.
struct Unchanged<Value: Sendable>: SeatWork {
  mutating func receive(_ value: Value, at now: Moment) -> SeatResponse<Value> {
    SeatResponse(value)
  }
}
