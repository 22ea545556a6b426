import Glibc
import Ground

/// The connection to another machine's iiod: made on demand, and made again after it has broken.
///
/// Without a connection callers get an error at once. An attempt is made at most after 1, 2, 4 … 30
/// s, and only on a call. An attribute whose answer does not arrive in time breaks the connection;
/// it is then skipped for 2, 4, 8 … 30 s, so that the others are read.
final class RemoteLink: Sendable {
  private struct State {
    var snapshot: RemoteSnapshot?
    var failure: Int32 = ENOTCONN
    var retries = LinkRetries()
    var isConnecting = false
    /// Until when the attempt that runs is waited for, on CLOCK_MONOTONIC.
    var awaited = Int64.min
    var silent = SilentAttributes()
  }

  /// How long callers together wait for the first attempt, for one after a loss, and for one after
  /// a failure, in nanoseconds.
  private static let firstPatience: Int64 = 2_000_000_000
  private static let lossPatience: Int64 = 500_000_000
  private static let patience: Int64 = 40_000_000

  let uri: String
  private let state = Monitor(State())
  /// One thread at a time uses the link.
  private let turn = Monitor((), rank: .device)

  init(uri: String) {
    self.uri = uri
  }

  /// Makes an attempt at the next question, unless one was made a moment ago.
  func retry() {
    let now = LiveTime.boot
    state.withLock { $0.retries.hurry(at: now) }
  }

  /// Throws why there is no link: ECONNREFUSED, EHOSTUNREACH, ETIMEDOUT, ENOTCONN …
  func check() throws(SystemError) {
    _ = try snapshot()
  }

  /// Calls `body` with the present devices. Throws what `body` throws; a link that breaks is
  /// closed.
  func use<Output>(
    _ body: (RemoteSnapshot) throws(SystemError) -> Output
  ) throws(SystemError) -> Output {
    let snapshot = try snapshot()
    let outcome: Result<Output, SystemError> = turn.withLock { _ in
      // Lost while other threads used the link: no caller waits for the same timeout again.
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

  /// Reads an attribute, in a second at most. Throws ETIMEDOUT, also without asking while the
  /// attribute is skipped.
  func read(_ name: String, of device: String) throws(SystemError) -> [UInt8] {
    let place = device + "/" + name
    let now = LiveTime.boot
    guard let limit = state.withLock({ $0.silent.limit(for: place, at: now) }) else {
      throw SystemError(ETIMEDOUT, at: place)
    }
    do throws(SystemError) {
      let bytes = try use { snapshot throws(SystemError) in
        try snapshot.read(name, of: device, within: limit)
      }
      state.withLock { $0.silent.forget(place) }
      return bytes
    } catch {
      if error.place == place, error.code == ETIMEDOUT || error.code == EMSGSIZE {
        state.withLock { $0.silent.note(place, at: LiveTime.boot) }
      }
      throw error
    }
  }

  private static let losses: Set<Int32> = [
    EPIPE, ECONNRESET, ECONNABORTED, ENOTCONN, ETIMEDOUT, EBADF, EHOSTUNREACH, ENETUNREACH,
    ENETDOWN, ESHUTDOWN, EMSGSIZE,
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
      state.retries.succeed(at: LiveTime.boot)
      return state.snapshot
    }
  }

  private func snapshot() throws(SystemError) -> RemoteSnapshot {
    let now = LiveTime.boot
    let awaited = state.withLock { state -> Int64? in
      if state.snapshot == nil, !state.isConnecting {
        guard state.retries.isDue(at: now), begin(&state) else { return nil }
      }
      return state.awaited
    }
    if let awaited {
      let found = state.wait(until: awaited) { state -> RemoteSnapshot?? in
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
      let patience =
        state.retries.haveFailed
        ? Self.patience : state.retries.isFirst ? Self.firstPatience : Self.lossPatience
      state.awaited = Monitor<Void>.moment(after: patience)
      state.retries.begin(at: LiveTime.boot)
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
        state.retries.succeed(at: LiveTime.boot)
      case .failure(let error):
        state.failure = error.code
        state.retries.fail(at: LiveTime.boot)
      }
    }
    state.signalAll()
  }
}

/// When the next attempt to make a link is due: after 1, 2, 4 … 30 s.
struct LinkRetries {
  /// How long an explicit request accepts the last attempt, in nanoseconds.
  private static let rest: Int64 = 2_000_000_000

  private var dueAt = Int64.min
  private var begunAt = Int64.min
  private var attempts = 0

  /// Whether none was ever decided.
  var isFirst: Bool { attempts == 0 && dueAt == .min }

  /// Whether the last attempt failed.
  var haveFailed: Bool { attempts > 0 }

  func isDue(at now: Int64) -> Bool { now >= dueAt }

  mutating func begin(at now: Int64) { begunAt = now }

  mutating func succeed(at now: Int64) { (attempts, dueAt) = (0, now) }

  mutating func fail(at now: Int64) {
    dueAt = now + min(30, Int64(1) << min(Int64(attempts), 5)) * 1_000_000_000
    attempts += 1
  }

  /// Makes the next attempt due for an explicit request.
  mutating func hurry(at now: Int64) {
    if begunAt != .min, now - begunAt >= Self.rest { dueAt = min(dueAt, now) }
  }
}

/// Attributes of another machine that did not answer in time, and how long each is left alone: 2,
/// 4, 8 … 30 s, until it answers.
///
/// The first rest is short, since the machine may have been slow as a whole. Moments are on
/// CLOCK_BOOTTIME in nanoseconds.
struct SilentAttributes {
  private struct Silence {
    var since: Int64
    var until: Int64
    var rests: Int64
  }

  /// How long an attribute may take, and how long when several have been silent.
  private static let answerTime: Int64 = 1_000_000_000
  private static let shortAnswerTime: Int64 = 100_000_000
  private static let firstRest: Int64 = 2_000_000_000
  private static let longestRest: Int64 = 30_000_000_000
  /// A machine with this many attributes silent within the longest rest counts as silent.
  private static let mostSilent = 16

  private var silences: [String: Silence] = [:]

  /// How long the answer of an attribute is waited for, in nanoseconds; nil if it is not to be
  /// asked.
  mutating func limit(for place: String, at now: Int64) -> Int64? {
    if silences.isEmpty { return Self.answerTime }
    silences = silences.filter { now - $0.value.until < Self.longestRest }
    let recent = silences.values.count { now - $0.since < Self.longestRest }
    if recent >= Self.mostSilent { return nil }
    if let until = silences[place]?.until, now < until { return nil }
    return recent < 2 ? Self.answerTime : Self.shortAnswerTime
  }

  /// Notes that an attribute did not answer.
  mutating func note(_ place: String, at now: Int64) {
    let rests = silences[place]?.rests ?? 0
    let rest = min(Self.firstRest << min(rests, 4), Self.longestRest)
    silences[place] = Silence(since: now, until: now + rest, rests: rests + 1)
  }

  /// Notes that an attribute answered.
  mutating func forget(_ place: String) { silences[place] = nil }
}
