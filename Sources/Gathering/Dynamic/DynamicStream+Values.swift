import Ground
import Streams
import Synchronization
public import Values

extension DynamicStream {
  /// Sends a value: into a signal, to the subscribers of a publink, as the new value of an
  /// updatable. It is stamped with the context's present.
  ///
  /// Throws `notSupported` where nothing can be sent, `limit` when the cascade is full, and what a
  /// writing function of `mapBoth` throws.
  public func send(_ value: Value) throws { try send(Sample(value)) }

  /// The same for a value in a sample without times.
  @_optimize(speed)
  package func send(_ unstamped: Sample) throws {
    // References that this object holds are used without being counted.
    let life = Unmanaged.passUnretained(life)
    if life._withUnsafeGuaranteedRef({ $0.isClosed }) { try check() }
    let sample = life._withUnsafeGuaranteedRef { $0.stamped(unstamped) }
    let turn = takeTurnToSend()
    if turn == .refused, isForeign { return try sendLater(sample) }
    defer { if turn == .taken { life._withUnsafeGuaranteedRef { $0.dispatcher.giveTurn() } } }
    let delivery =
      if let signal {
        Unmanaged.passUnretained(signal)._withUnsafeGuaranteedRef { $0.send(sample) }
      } else if let variable {
        Unmanaged.passUnretained(variable)._withUnsafeGuaranteedRef { $0.set(sample) }
      } else {
        try place(sample)
      }
    if case .refused(let error) = delivery { throw SourceError(error) }
  }

  @inline(never)
  private func sendLater(_ sample: Sample) throws {
    try checkTakesValues()
    postpone { [self] in try place(sample) }
  }

  @inline(never)
  private func place(_ sample: Sample) throws -> Delivery {
    if let signal { return signal.send(sample) }
    if let variable { return variable.set(sample) }
    try checkTakesValues()
    return switch form {
    // A port gives a value published in a handler the times of its cause.
    case .publink(let publink):
      publink.publish(publink.isPort ? Sample(sample.value) : sample)
    case .updatable(_, let prepare): try prepare(sample)()
    case .signal, .timer, .plain, .observable: .refused(.notSupported)
    }
  }

  private func checkTakesValues() throws(SourceError) {
    switch form {
    case .signal, .publink, .updatable: break
    case .timer, .plain, .observable:
      throw .notSupported("nothing can be sent into a stream that is \(word)")
    }
  }

  /// The value it holds, or the last one published; nil if none was.
  ///
  /// Throws `notSupported` if the stream holds no value.
  public func value() throws(SourceError) -> Sample? {
    try check()
    var sample: Sample?
    switch form {
    case .publink(let publink): sample = publink.last
    case .observable(let value): sample = try inTurn { value.value }
    case .updatable(let value, _): sample = try inTurn { value.value }
    case .signal, .timer, .plain:
      throw .notSupported("a stream that is \(word) holds no value")
    }
    sample?.flags.remove(.isNew)
    return sample
  }

  /// Opens a transaction on an updatable, or joins the one that is open.
  public func begin() throws {
    try check()
    let value = try updatable()
    try sending {
      value.begin()
      return .delivered
    }
  }

  /// Ends what one `begin` has begun; throws `invalidArgument` if no transaction is open.
  public func end() throws {
    try check()
    let value = try updatable()
    try sending {
      do throws(StreamError) {
        try value.end()
        return .delivered
      } catch { return .refused(error) }
    }
  }

  /// Keeps two updatables equal both ways; `other` is set to this one's value first.
  public func bind(
    to other: DynamicStream, keeping keeper: (any AnyObject & Sendable)? = nil
  ) throws(SourceError) -> DynamicConnection {
    try check()
    try check(isTogetherWith: other)
    let (left, right) = (try updatable(), try other.updatable())
    let result = try inTurn { () -> Result<Connection, StreamError> in
      do throws(StreamError) {
        return .success(try left.bind(to: right) { $0.hasSameContent(as: $1) })
      } catch { return .failure(error) }
    }
    switch result {
    case .success(let connection):
      return DynamicConnection(connection, of: nil, in: context, keeping: keeper)
    case .failure(let error): throw SourceError(error)
    }
  }

  func updatable() throws(SourceError) -> any UpdatableValue<Sample> {
    guard case .updatable(let value, _) = form else {
      throw .notSupported("a stream that is \(word) cannot be set")
    }
    return value
  }

  func check(isTogetherWith other: DynamicStream) throws(SourceError) {
    if other.context !== context {
      throw .invalidArgument("the streams belong to different contexts")
    }
  }

  // MARK: Turns

  /// Runs a job that sends values: on this thread, in turn if the turn is free.
  ///
  /// If it is not, the send is made nevertheless, since a busy stream only queues; callbacks then
  /// wait for the turn. Inside a callback of another context no wait is allowed: then the loop runs
  /// the job.
  func sending(_ job: @escaping @Sendable () throws -> Delivery) throws {
    let turn = takeTurnToSend()
    if turn == .refused, isForeign { return postpone(job) }
    defer { if turn == .taken { life.dispatcher.giveTurn() } }
    if case .refused(let error) = try job() { throw SourceError(error) }
  }

  /// Takes the turn for a send, if it is free and no value waits that was sent before.
  @inline(__always)
  private func takeTurnToSend() -> Turn.Grant {
    // Values sent earlier from callbacks of another context come first.
    if CallbackDepth.isInside, isForeign,
      context.userFunctions.postponed.load(ordering: .acquiring) > 0
    {
      return .refused
    }
    return life.dispatcher.turn.tryTake()
  }

  /// Whether the calling thread is inside a callback of another context.
  private var isForeign: Bool { CallbackDepth.isInside && !life.dispatcher.isCurrent }

  private func postpone(_ job: @escaping @Sendable () throws -> Delivery) {
    let functions = context.userFunctions
    functions.postponed.add(1, ordering: .releasing)
    life.dispatcher.post(
      .run { _ in
        functions.postponed.subtract(1, ordering: .releasing)
        _ = try? job()
      })
  }

  /// Runs a job that calls user functions and needs their result.
  func inTurn<Answer>(_ job: () -> Answer) throws(SourceError) -> Answer {
    let dispatcher = life.dispatcher
    let turn = dispatcher.turn.tryTake()
    if turn == .refused, CallbackDepth.isInside {
      throw .unavailable(Availability(.busy, detail: "the other context runs a callback"))
    }
    defer { if turn == .taken { dispatcher.giveTurn() } }
    return job()
  }
}

extension SourceError {
  /// The error of a call for an error of a stream.
  init(_ error: StreamError) {
    switch error {
    case .cascadeLimit: self = .limit("the cascade is full; see cascade_limit")
    case .transactionOpen:
      self = .unavailable(Availability(.busy, detail: "a transaction is open"))
    case .notInTransaction: self = .invalidArgument("no transaction is open")
    case .notSupported: self = .notSupported("the stream cannot be set")
    case .typeMismatch: self = .type("the value is of a type that the port does not take")
    case .closed: self = .closed
    case .indexOutOfRange(let index): self = .invalidArgument("the list has no index \(index)")
    case .changeMismatch(let index?):
      self = .invalidArgument("modification \(index) does not fit the list")
    case .changeMismatch(nil):
      self = .invalidArgument("the change is of a list of another length")
    case .limit: self = .limit("a list or set has at most 1000000 elements")
    }
  }
}

extension Sample {
  /// Equality of dynamic values: payload and status (streams L69).
  func hasSameContent(as other: Sample) -> Bool {
    status == other.status && value == other.value
  }
}
