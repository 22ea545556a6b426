package import CGatheredKit
import Streams
public import Values

extension DynamicStream {
  /// A stream that passes each value through a function of C, whose answer takes the times and
  /// flags of what it was made of.
  ///
  /// It is called once for each subscriber and value, in turn. `body` calls it with samples that
  /// must be made for it, and `check` reads what it made, unless that is a number. `onEnd` runs
  /// exactly once, after the last call, also when this throws.
  package func transform(
    calling function: TransformFunction, _ userData: UnsafeMutableRawPointer?,
    onEnd: @escaping @Sendable () -> Void,
    check: @escaping @Sendable (UnsafeMutablePointer<gkit_value>) -> Sample?,
    _ body: @escaping @Sendable (Sample) -> Sample?
  ) throws(SourceError) -> DynamicStream {
    let function = try UserFunction(.transform(function, userData), in: context, onEnd: onEnd)
    try self.check()
    if let collection, collection.isByElement {
      return collection.transformed(by: function, in: context, body)
    }
    let isPlain = origin == nil
    return derived(
      Derived(from: samples) { sink in
        // A function rather than a closure, which would not be optimized for speed.
        @_optimize(speed) @Sendable
        func pass(_ sample: Sample) {
          if isPlain, sample.isWholeRow {
            function.transform(sample, into: sink, check)
          } else {
            function.transform(sample, into: sink, by: body)
          }
        }
        return pass
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
