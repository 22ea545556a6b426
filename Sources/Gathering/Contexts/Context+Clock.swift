import Ground

/// The manual clock, and that of replays (C API R3).
extension Context {
  /// The present position of the clock in nanoseconds since opening, or since the beginning of a
  /// recording; nil if the clock cannot be moved.
  ///
  /// A replay that runs is at its end when the last row has been delivered, and not before.
  public var position: Int64? { pacer?.position ?? virtualLoop.map { $0.clock.now.boot } }

  /// The length of the recording in nanoseconds; nil if the context is no replay.
  public var duration: Int64? { pacer.map { $0.end - $0.start } }

  /// The speed of a replay: 0 stands still, 1 is as recorded, infinity is as fast as possible; nil
  /// if the context is no replay. It runs from the moment the first source starts.
  public var rate: Double? { pacer?.rate }

  /// Sets the speed of a replay; any thread, callbacks included.
  ///
  /// Throws `invalidArgument` for a negative rate and NaN, `notSupported` if the context is no
  /// replay.
  public func setRate(_ rate: Double) throws(SourceError) {
    try check()
    guard let pacer else { throw .notSupported("\(uri) is no replay; its clock has no rate") }
    guard rate >= 0 else { throw .invalidArgument("a rate is 0 or more") }
    pacer.rate = rate
  }

  /// Moves the clock to a position.
  ///
  /// A manual clock, and a replay that stands still, stop at every due moment in order, and deliver
  /// everything due on the calling thread before this returns (C API R3). A replay that runs, or
  /// that moves backwards, jumps: its sources then report their state at that position. A position
  /// beyond the end of a recording is its end.
  public func seek(to position: Int64) throws(SourceError) {
    guard let virtualLoop else {
      throw .notSupported("the clock of \(uri) cannot be moved; open with clock=manual")
    }
    try check()
    if CallbackDepth.isInside { throw .wrongThread("the clock cannot be moved inside a callback") }
    guard let pacer else { return try step(virtualLoop, to: position) }
    if position < 0 { throw .invalidArgument("a recording begins at 0") }
    let (sum, overflow) = pacer.start.addingReportingOverflow(position)
    let moment = overflow ? pacer.end : min(sum, pacer.end)
    try pacer.withClock { loop throws(SourceError) in
      if pacer.isPaused && moment >= loop.clock.now.boot {
        try step(loop, to: moment)
      } else {
        dispatcher.move { jump(loop, to: moment) }
      }
    }
  }

  /// Lets a clock pass every due moment up to a position.
  private func step(_ loop: VirtualLoop, to position: Int64) throws(SourceError) {
    try dispatcher.beginSeek()
    defer { dispatcher.endSeek() }
    if position < loop.clock.now.boot {
      throw .invalidArgument("the clock stands at \(loop.clock.now.boot) ns, past that")
    }
    var count = dispatcher.deliverAll()
    while loop.runNext(upTo: position) {
      count &+= dispatcher.deliverAll()
      if count > Self.seekLimit {
        throw .limit("more than \(Self.seekLimit) callbacks in one seek")
      }
    }
    loop.advance(to: position) { _ = dispatcher.deliverAll() }
    _ = dispatcher.deliverAll()
  }

  /// Continues at another moment: rows in between are not delivered, and newer values are dropped.
  private func jump(_ loop: VirtualLoop, to moment: Int64) {
    loop.jump(to: moment)
    let updating = core.withLock { $0.forgetTimes(at: moment) }
    for (producer, sessions) in updating {
      refresh(producer, scope: .everything, due: sessions)
    }
    armAll()
    (provider as? ReplayProvider)?.resume(from: moment)
  }

  /// Lets the clock of a replay be moved by its rate.
  func startPacing() throws(SourceError) {
    guard let pacer else { return }
    do {
      try pacer.run(
        move: { [dispatcher] in dispatcher.move($0) },
        settle: { [dispatcher] in dispatcher.awaitQuiet(unless: $0) })
    } catch {
      throw .io(errno: error.code, place: error.place)
    }
  }

  /// How many callbacks one seek may run.
  private static var seekLimit: UInt64 { 1_000_000 }
}

extension CoreState {
  /// Clears the times of values after a jump of the clock; returns what has to be read again, and
  /// for which sessions.
  fileprivate mutating func forgetTimes(
    at moment: Int64
  ) -> [(producer: Int, sessions: [UInt32])] {
    producers.sorted { $0.key < $1.key }.compactMap { number, producer in
      producer.newest.forgetTimes()
      producer.forgetBasis()
      // Until the stream continues, values come from readings.
      producer.streamed = []
      let updating = producer.sessions.filter { $0.phase == .updating }
      for session in updating {
        session.schedule(on: Grid(start: moment, interval: session.granted))
      }
      return updating.isEmpty ? nil : (number, updating.map(\.number))
    }
  }
}
