import Glibc

/// The connection to another machine's iiod: made when wanted, and again when it has broken.
///
/// While there is none, whoever asks is told so at once; an attempt is made at most after 1, 2, 4 …
/// 30 s, and only if somebody asks.
final class RemoteLink: Sendable {
  private struct State {
    var snapshot: RemoteSnapshot?
    var failure: Int32 = ENOTCONN
    var retryAt = Int64.min
    var attempts = 0
    var isConnecting = false
  }

  /// How long the first attempt is waited for, and a later one.
  private static let firstPatience: Int64 = 2_000_000_000
  private static let patience: Int64 = 40_000_000

  let uri: String
  private let state = Monitor(State())
  /// One thread at a time speaks over the link.
  private let turn = Monitor(())

  init(uri: String) {
    self.uri = uri
  }

  /// Throws why there is no link: ECONNREFUSED, EHOSTUNREACH, ETIMEDOUT, ENOTCONN …
  func check() throws(SystemError) {
    _ = try snapshot()
  }

  /// Asks the devices as they are now known. Throws what `body` throws; a link that breaks is
  /// taken down.
  func use<Answer>(
    _ body: (RemoteSnapshot) throws(SystemError) -> Answer
  ) throws(SystemError) -> Answer {
    let snapshot = try snapshot()
    let outcome: Result<Answer, SystemError> = turn.withLock { _ in
      // Lost while others had their turn: nobody waits for the same time-out twice.
      guard isCurrent(snapshot) else { return .failure(SystemError(ENOTCONN, at: uri)) }
      do throws(SystemError) {
        return .success(try body(snapshot))
      } catch {
        if Self.losses.contains(error.code) { lose(snapshot) }
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  private static let losses: Set<Int32> = [
    EPIPE, ECONNRESET, ECONNABORTED, ENOTCONN, ETIMEDOUT, EBADF, EHOSTUNREACH, ENETUNREACH,
    ENETDOWN, ESHUTDOWN,
  ]

  private func isCurrent(_ snapshot: RemoteSnapshot) -> Bool {
    state.withLock { $0.snapshot === snapshot }
  }

  private func lose(_ snapshot: RemoteSnapshot) {
    // Released outside the lock: it closes a socket.
    _ = state.withLock { state -> RemoteSnapshot? in
      guard state.snapshot === snapshot else { return nil }
      defer { state.snapshot = nil }
      state.failure = ENOTCONN
      state.attempts = 0
      state.retryAt = LiveClock.boot
      return state.snapshot
    }
  }

  private func snapshot() throws(SystemError) -> RemoteSnapshot {
    let now = LiveClock.boot
    let patience = state.withLock { state -> Int64? in
      if state.snapshot != nil { return 0 }
      if !state.isConnecting {
        guard now >= state.retryAt else { return nil }
        guard begin(&state) else { return nil }
      }
      return state.attempts == 0 && state.retryAt == .min ? Self.firstPatience : Self.patience
    }
    if let patience {
      let limit = Monitor<Void>.moment(after: patience)
      let found = state.wait(until: limit) { state -> RemoteSnapshot?? in
        if let snapshot = state.snapshot { return .some(snapshot) }
        return state.isConnecting ? nil : .some(nil)
      }
      if let found, let found { return found }
    }
    throw SystemError(state.withLock { $0.failure }, at: uri)
  }

  private func begin(_ state: inout State) -> Bool {
    do {
      let thread = try WorkerThread(named: "gkit-iio-link") { [self] in connect() }
      thread.detach()
      state.isConnecting = true
      return true
    } catch {
      state.failure = error.code
      return false
    }
  }

  private func connect() {
    let outcome: Result<RemoteSnapshot, SystemError>
    do throws(SystemError) {
      outcome = .success(try RemoteSnapshot(uri: uri))
    } catch {
      outcome = .failure(error)
    }
    state.withLock { state in
      state.isConnecting = false
      switch outcome {
      case .success(let snapshot):
        state.snapshot = snapshot
        state.attempts = 0
        state.retryAt = LiveClock.boot
      case .failure(let error):
        state.failure = error.code
        state.retryAt = LiveClock.boot + min(30, Int64(1) << min(state.attempts, 5)) * 1_000_000_000
        state.attempts += 1
      }
    }
    state.signalAll()
  }
}
