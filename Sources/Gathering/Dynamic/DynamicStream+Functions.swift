import Streams
public import Values

extension DynamicStream {
  /// A stream that passes each value through a user function; nil drops the value.
  ///
  /// It is called once for each subscriber and value, in turn. `onEnd` runs exactly once, after the
  /// last call, also when this throws.
  public func transform(
    onEnd: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable (Sample) -> Value?
  ) throws(SourceError) -> DynamicStream {
    let function = try UserFunction(in: context, onEnd: onEnd)
    try check()
    return derived(
      Derived(from: samples) { sink in
        { sample in
          var result: Value?
          _ = function.call({ result = body($0) }, sample)
          if let result { sink.receive(sample.carrying(result)) }
        }
      })
  }

  /// An observable whose value is this one's, converted by `to`; with `from`, it can be set through
  /// that function.
  ///
  /// Both may be called any number of times, in turn. An error of `to` gives a failed sample; an
  /// error of `from` refuses the send. `onEnd` runs exactly once, after the last call, also when
  /// this throws.
  public func mapBoth(
    onEnd: @escaping @Sendable () -> Void = {},
    to: @escaping @Sendable (Value) throws -> Value,
    from: (@Sendable (Value) throws -> Value)? = nil
  ) throws(SourceError) -> DynamicStream {
    let function = try UserFunction(in: context, onEnd: onEnd)
    try check()
    guard let observable else {
      throw .notSupported("only what holds a value can be mapped both ways; this is \(word)")
    }
    let forward = { @Sendable (sample: Sample) -> Sample in
      var result = sample.carrying(.none)
      result.status = .failed
      function.call {
        if let value = try? to(sample.value) { result = sample.carrying(value) }
      }
      return result
    }
    guard let from else { return DynamicStream(observable.map(forward), in: context) }
    guard case .updatable(let origin, let prepare) = form else {
      throw .notSupported("the origin cannot be set, so there is nothing for `from` to do")
    }
    let prepareBack: Preparation = { sample in
      var outcome: Result<Value, any Error> = .failure(SourceError.closed)
      function.call { outcome = Result { try from(sample.value) } }
      return try prepare(sample.carrying(try outcome.get()))
    }
    return DynamicStream(
      origin.map(forward, writing: Self.setter(prepareBack)), in: context,
      preparing: prepareBack)
  }
}
