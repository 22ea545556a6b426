import Ground

/// The next step for a producer's stream.
enum StreamStep: Sendable {
  case none
  /// Ends the stream; sessions are polled again.
  case close((any SampleStream)?)
  /// Opens a stream.
  case open(asked: Int64, number: Int)
  /// Has the stream that runs bring samples faster.
  case quicken(any SampleStream, asked: Int64)
}

/// The result of opening a stream.
struct BegunStream: Sendable {
  /// Whether it is still wanted.
  var isWanted = false
  /// The one it replaces.
  var old: (any SampleStream)?
  /// The deliveries of the samples received so far.
  var deliveries: [SessionDelivery] = []
  /// Whether it broke already.
  var isBroken = false
}

extension CoreState {
  /// How long a failed opening is remembered, in nanoseconds (sources A4).
  private static let memory: Int64 = 30_000_000_000

  /// Decides whether a producer's stream is begun, changed or ended (catalogue 3.2).
  mutating func planStream(of producer: Int, at now: Int64) -> StreamStep {
    guard let state = producers[producer], state.streamsBelow != nil else { return .none }
    let wanted = isClosed ? nil : state.streamWanted(allowing: allowance)
    switch (state.stream, wanted) {
    case (.refused, nil) where !state.isUsable(allowing: allowance):
      // What comes back is another chance.
      state.endStream()
      return .none
    case (.none, nil), (.opening, _?), (.refused, nil), (.finished, _?), (.broken, _?):
      return .none
    case (.refused(_, let then), _?) where now - then < Self.memory:
      return .none
    case (.running(let stream, let number, let asked), let wanted?):
      state.followStream()
      // It never slows down for a session that has ended: that would cost the others samples.
      guard wanted < asked, stream.granted(for: wanted) < stream.granted(for: asked) else {
        return .none
      }
      state.stream = .running(stream, number: number, asked: wanted)
      return .quicken(stream, asked: wanted)
    case (_, let wanted?):
      state.stream = .opening(asked: wanted)
      return state.beginOpening(for: wanted)
    case (_, nil):
      let old = state.stream.stream
      state.endStream()
      return .close(old)
    }
  }

  /// Handles an opened stream. Returns whether it is still wanted; if so, also the one it replaces,
  /// and the deliveries of its samples so far.
  mutating func beginStream(
    _ stream: any SampleStream, number: Int, asked: Int64, of producer: Int, at now: Instant
  ) -> BegunStream {
    guard let state = producers[producer], !isClosed, state.streamNumber == number else {
      return BegunStream()
    }
    let old = state.stream.stream
    let isOver = state.earlyEnd
    state.refusals = 0
    // The samples until it is reopened are lost.
    if case .broken = state.stream { state.noteLostRows() }
    state.stream = .running(stream, number: number, asked: asked)
    state.followStream()
    let early = state.earlyBlocks
    state.earlyBlocks = []
    let deliveries = early.flatMap { absorb($0, number: number, of: producer, at: now) }
    if let isOver {
      if isOver { state.finishStream() } else { state.stream = .broken(asked: asked, attempts: 0) }
    }
    return BegunStream(isWanted: true, old: old, deliveries: deliveries, isBroken: isOver == false)
  }

  /// Handles a stream that could not be opened: its properties are polled.
  mutating func refuseStream(
    _ error: SourceError, number: Int, asked: Int64, of producer: Int, at now: Instant
  ) -> [FollowUp] {
    guard let state = producers[producer], state.streamNumber == number else { return [] }
    state.earlyBlocks = []
    guard case .opening = state.stream else { return [] }
    state.stream = .refused(error, at: now.boot)
    return reviewSessions(of: state.kindIndex, at: now)
  }

  /// Handles a stream that broke and could not be reopened in time: its properties are polled.
  /// Returns its number too; nil if it is not wanted any more.
  mutating func refuseBroken(
    _ error: SourceError, of producer: Int, at now: Instant
  ) -> (number: Int, followUps: [FollowUp])? {
    guard !isClosed, let state = producers[producer], case .broken = state.stream else {
      return nil
    }
    state.stream = .refused(error, at: now.boot)
    return (state.streamNumber, reviewSessions(of: state.kindIndex, at: now))
  }

  /// Lets a session that has just got its schedule follow the stream that runs, if one does.
  func followStream(_ number: UInt32) {
    guard let producer = sessions[number]?.producer else { return }
    producers[producer]?.followStream()
  }

  /// How long to wait until a refused stream is tried again: 1 s, 2 s, 4 s … 30 s; nil if that
  /// would not help.
  mutating func patience(with producer: Int) -> Int64? {
    guard let state = producers[producer], case .refused(let error, _) = state.stream else {
      return nil
    }
    let mayPass: Set = [
      SystemText.noEntry, SystemText.noDevice, SystemText.noDeviceOrAddress, SystemText.tryAgain,
      SystemText.busy, SystemText.io,
    ]
    let code = error.availability.errno
    guard mayPass.contains(code) || SystemText.unreachable.contains(code) else { return nil }
    state.refusals += 1
    return min(1_000_000_000 << Int64(min(state.refusals - 1, 5)), Self.memory)
  }

  /// Forgets a refusal, if it still stands.
  mutating func forgetRefusal(_ number: Int, of producer: Int) -> Bool {
    guard !isClosed, let state = producers[producer], state.stream.isRefused,
      state.streamNumber == number
    else { return false }
    state.stream = .none
    return true
  }

  /// Clears the failed opening of the stream of a session's instance, since a caller requests the
  /// values; returns the producer whose stream may be opened now.
  mutating func forgetStreamRefusal(of session: UInt32) -> Int? {
    guard let number = sessions[session]?.producer, let producer = producers[number],
      producer.stream.isRefused
    else { return nil }
    producer.stream = .none
    producer.refusals = 0
    return number
  }

  /// The sessions to be read after all because their stream was refused; an update of theirs that
  /// was not delivered yet counts as none.
  mutating func takeBackRefresh(of producer: Int) -> [UInt32] {
    guard let state = producers[producer], state.stream.isRefused else { return [] }
    let readers = readers(of: producer)
    for number in readers { sessions[number]?.forgetPendingUpdate() }
    return readers
  }

  /// Stores the rows of a stream; returns the update of every session that gets some of them.
  mutating func absorb(
    _ block: SampleBlock, number: Int, of producer: Int, at now: Instant
  ) -> [SessionDelivery] {
    guard !isClosed, let state = producers[producer], state.isUsable(allowing: allowance) else {
      return []
    }
    guard case .running(let stream, number, _) = state.stream else {
      // Brought before the call that opens it has returned; who gets a receipt keeps it until then.
      if state.streamNumber == number, block.receipt == nil { state.earlyBlocks.append(block) }
      return []
    }
    block.receipt?.note()
    // An instance elsewhere may bring samples faster than it did.
    if stream.interval != state.followedInterval { state.followStream() }
    if block.past == .kept {
      state.keep(block, realtimeOffset: now.realtime - now.boot)
      return []
    }
    let before = state.refused
    let running = block.loss == nil ? [] : state.sessions.filter { $0.phase == .updating }
    let losses = running.compactMap { session in block.loss.map { session.tell(.lost($0)) } }
    guard let rows = state.takeOver(block, realtimeOffset: now.realtime - now.boot) else {
      if state.refused != before { state.noteLostRows() }
      return losses
    }
    let hasGap = block.hasGap || state.refused != before
    return losses
      + state.sessions.flatMap {
        $0.enqueue(rows, of: state, every: stream.interval, hasGap: hasGap)
      }
  }
}

extension ProducerState {
  /// Whether a session is polled at its ticks instead of waiting for samples, or for the result of
  /// opening a stream. After the end of a captured file the sessions that need no buffer are
  /// polled.
  func ticks(_ session: SessionState) -> Bool {
    switch stream {
    case .none, .refused: true
    case .opening, .running, .broken: false
    case .finished: session.asked >= 100_000_000
    }
  }

  /// The stream has ended: its properties are polled again.
  func finishStream() {
    stream = .finished
    streamed = []
  }

  /// Whether the stream's properties are, or will be, delivered by the stream.
  func isToStream(allowing allowance: Allowance) -> Bool {
    // Without a session that updates none is wanted, whatever its phase.
    if streamsBelow == nil || shortestInterval == nil { return false }
    if case .finished = stream { return false }
    return !stream.isRefused && streamWanted(allowing: allowance) != nil
  }

  /// The shortest requested interval, if a stream is to serve it.
  fileprivate func streamWanted(allowing allowance: Allowance) -> Int64? {
    guard let streamsBelow, isUsable(allowing: allowance) else { return nil }
    var asked = Int64.max
    for session in sessions where session.phase == .updating { asked = min(asked, session.asked) }
    guard asked < streamsBelow else { return nil }
    return max(asked, Intervals.smallest)
  }

  fileprivate func beginOpening(for wanted: Int64) -> StreamStep {
    streamNumber += 1
    earlyBlocks = []
    earlyEnd = nil
    return .open(asked: wanted, number: streamNumber)
  }

  /// Makes the sessions that requested a stream follow the running one.
  func followStream() {
    guard case .running(let stream, _, _) = stream, let streamsBelow else { return }
    followedInterval = stream.interval
    for session in sessions where session.phase == .updating && session.asked < streamsBelow {
      session.follow(stream)
    }
  }

  /// Records that rows were lost which all its sessions would have received.
  fileprivate func noteLostRows() {
    for session in sessions where session.phase == .updating && !session.awaitsRefresh {
      session.hasLostRows = true
    }
  }

  /// Nothing of a stream is left, except the values it brought.
  func endStream() {
    stream = .none
    condition = nil
    refusals = 0
    streamed = []
    earlyBlocks = []
    streamNumber += 1
  }
}

extension SessionState {
  /// Sets the interval a stream grants for the requested one, independent of other sessions
  /// (sources I3).
  fileprivate func follow(_ stream: any SampleStream) {
    let wanted = max(asked, Intervals.smallest)
    let follows = stream.granted(for: wanted)
    if follows == asked {
      grantReason = ""
    } else {
      grantReason =
        follows == wanted ? "the library's minimum" : stream.grantReason
    }
    guard granted != follows, let start = grid?.start else { return }
    granted = follows
    schedule(on: Grid(start: start, interval: granted))
  }
}
