import Streams

extension DynamicStream {
  /// Who subscribes, and how.
  public struct Subscriber: Sendable {
    /// An object kept as long as the connection.
    public var keeper: (any AnyObject & Sendable)?
    /// No initial value: only values sent after the subscription.
    public var isForFutureOnly: Bool
    let onEnd: @Sendable () -> Void
    let receive: @Sendable (Sample) -> Void

    /// A subscriber; `onEnd` runs exactly once, after the last call of `receive`.
    public init(
      isForFutureOnly: Bool = false, onEnd: @escaping @Sendable () -> Void = {},
      _ receive: @escaping @Sendable (Sample) -> Void
    ) {
      self.isForFutureOnly = isForFutureOnly
      self.onEnd = onEnd
      self.receive = receive
    }
  }

  /// Subscribes; the first call of a stream with an initial value is that value.
  public func subscribe(_ subscriber: Subscriber) throws(SourceError) -> DynamicConnection {
    let function = try UserFunction(in: context, onEnd: subscriber.onEnd)
    try check()
    let connection = samples.subscribe(Self.sink(for: subscriber, function))
    return DynamicConnection(
      connection, of: function, in: context, keeping: subscriber.keeper)
  }

  /// Subscribes a function of C, which gets samples as they lie there; `receive` of the subscriber
  /// has it called with those that must be made for it.
  package func subscribe(
    _ subscriber: Subscriber, calling function: SampleFunction, _ userData: UnsafeMutableRawPointer?
  ) throws(SourceError) -> DynamicConnection {
    let function = try UserFunction(
      .samples(function, userData), in: context, onEnd: subscriber.onEnd)
    try check()
    let receive = subscriber.receive
    let isPlain = origin == nil
    // Functions rather than closures, which are not optimized for speed and copy the sample.
    @_optimize(speed) @Sendable
    func takeAll(_ sample: Sample) { function.deliver(sample, isPlain: isPlain, orBy: receive) }
    @Sendable func takeNew(_ sample: Sample) {
      if sample.flags.contains(.isNew) { takeAll(sample) }
    }
    let connection = samples.subscribe(Sink(subscriber.isForFutureOnly ? takeNew : takeAll))
    return DynamicConnection(connection, of: function, in: context, keeping: subscriber.keeper)
  }

  /// Subscribes under a name, for publinks only; the subscription lasts until `unsubscribe`.
  public func subscribe(named name: String, _ subscriber: Subscriber) throws(SourceError) {
    let function = try UserFunction(in: context, onEnd: subscriber.onEnd)
    try check()
    let publink = try namedPublink()
    let sink = Self.sink(for: subscriber, function)
    let receiveInitial = { @Sendable (sample: Sample) in
      var sample = sample
      sample.flags.remove(.isNew)
      sink.receive(sample)
    }
    publink.subscribe(
      named: name, Sink(wantsFinalValue: true, receiveInitial: receiveInitial, sink.receive))
  }

  /// Removes a named subscriber; an unknown name is fine.
  public func unsubscribe(_ name: String) throws(SourceError) {
    try check()
    try namedPublink().unsubscribe(name)
  }

  private func namedPublink() throws(SourceError) -> Publink<Sample> {
    guard let publink else {
      throw .notSupported("only publinks have named subscribers; this stream is \(word)")
    }
    return publink
  }

  private static func sink(
    for subscriber: Subscriber, _ function: UserFunction
  ) -> Sink<Sample> {
    let receive = subscriber.receive
    guard subscriber.isForFutureOnly else {
      return Sink { function.deliver($0, to: receive) }
    }
    return Sink { if $0.flags.contains(.isNew) { function.deliver($0, to: receive) } }
  }
}
