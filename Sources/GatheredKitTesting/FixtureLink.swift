import Ground
public import Machine

/// A link whose other side is the test.
///
/// What the test sends is received on the test's own thread, before the call returns; what the link
/// says by itself once it is opened, on another.
public final class FixtureLink: LineLink {
  private struct State {
    var receive: (@Sendable (LineEvent) -> LineResponse)?
    var openings = 0
    var sent: [String] = []
    var patience: Int64?
    /// Whether what the link says by itself is still being received.
    var isTalking = false
    var opening: [LineEvent]
  }

  private let state: Monitor<State>

  /// A link that has not been opened, and what happens when it is.
  public init(whenOpened opening: [LineEvent] = []) {
    state = Monitor(State(opening: opening))
  }

  /// Lets something else happen from the next opening on.
  public func set(whenOpened opening: [LineEvent]) { state.withLock { $0.opening = opening } }

  /// How often it was opened.
  public var openings: Int { state.withLock { $0.openings } }

  /// Whether it is open now.
  public var isOpen: Bool { state.withLock { $0.receive != nil } }

  /// What was sent to the other side.
  public var sent: [String] { state.withLock { $0.sent } }

  /// How long `silence` is waited for, as the last answer said, in nanoseconds.
  public var patience: Int64? { state.withLock { $0.patience } }

  /// Takes the receiver; nothing comes by itself.
  public func open(
    _ receive: @escaping @Sendable (LineEvent) -> LineResponse
  ) -> any LineConnection {
    let opening = state.withLock { state in
      state.receive = receive
      state.openings += 1
      state.isTalking = !state.opening.isEmpty
      return state.opening
    }
    if !opening.isEmpty {
      let thread = try? WorkerThread(named: "fixture-link") { [self] in
        for event in opening { happen(event) }
        state.withLock { $0.isTalking = false }
        state.signalAll()
      }
      thread?.detach()
    }
    return Opening(link: self)
  }

  /// Lets something happen; what the receiver answered, nil if there is none.
  @discardableResult
  public func happen(_ event: LineEvent) -> LineResponse? {
    guard let answer = state.withLock({ $0.receive })?(event) else { return nil }
    state.withLock { state in
      state.patience = answer.patience
      if !answer.send.isEmpty { state.sent.append(String(decoding: answer.send, as: UTF8.self)) }
    }
    return answer
  }

  /// Waits until what the link says by itself has been received.
  public func awaitOpening() {
    _ = state.wait { $0.isTalking ? nil : true }
  }

  /// Sends lines, one event each.
  public func say(_ lines: String...) {
    for line in lines { happen(.line(Array(line.utf8))) }
  }

  fileprivate func close() {
    // Released outside the lock: what it holds may call back.
    _ = state.withLock { state in
      defer { state.receive = nil }
      return state.receive
    }
  }
}

private struct Opening: LineConnection {
  let link: FixtureLink

  func call() { link.happen(.called) }

  func cancel() { link.close() }
}
