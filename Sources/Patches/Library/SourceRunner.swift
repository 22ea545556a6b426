import Gathering
import Ground
import Streams

/// Runs a source over its failures.
///
/// The reason for waiting or failing is the status of its values. A device whose readings failed
/// until it stopped (sources L9) is tried again after a while.
final class SourceRunner: ObservedRunner {
  /// Takes samples in the order of their properties: all of them count, or those that are new.
  typealias Receiver =
    @Sendable (
      _ properties: [Property], _ samples: [Sample], _ all: Bool
    ) -> Void

  private struct State: Sendable {
    var interval: Int64?
    var isRunning = false
    var tokens: [ListenerToken] = []
    /// The next attempt to start a device that failed.
    var retry: Streams.Connection?
  }

  /// After a device has failed, until it is tried again.
  private static let pause = Duration.seconds(2)

  private let source: Source
  private let state: Lock<State>
  private let receive: Receiver

  init(_ source: Source, interval: Int64?, _ receive: @escaping Receiver) {
    self.source = source
    self.receive = receive
    state = Lock(State(interval: interval))
  }

  deinit {
    LockRank.expectNoLock("lets go of a patch's source")
    // Not from inside its own listener: listeners hold it weakly.
    for token in state.withLock({ $0.tokens }) { token.end() }
    try? source.stopUpdating()
  }

  func change(interval: Int64) {
    let isRunning = state.withLock { state in
      state.interval = interval
      return state.isRunning
    }
    if isRunning { start() }
  }

  func begin() {
    let updates = source.addUpdateListener { [weak self] update in
      for row in update.rows { self?.hand(row, all: false) }
    }
    let events = source.addEventListener { [weak self] event in self?.note(event) }
    state.withLock { state in
      state.isRunning = true
      state.tokens = [updates, events]
    }
    start()
  }

  func end() {
    let (tokens, retry) = state.withLock { state in
      defer { (state.isRunning, state.tokens, state.retry) = (false, [], nil) }
      return (state.tokens, state.retry)
    }
    retry?.disconnect()
    for token in tokens { token.end() }
    try? source.stopUpdating()
  }

  private func start() {
    do throws(SourceError) {
      try source.startUpdating(every: state.withLock { $0.interval })
      // A source that waits sends no update.
      if source.availability.state != .available { hand(source.allValues, all: true) }
    } catch {
      // A source that cannot start gives its values a status, and starts as soon as it can.
      hand(source.allValues, all: true)
    }
  }

  private func restart() {
    if state.withLock({ $0.isRunning }), !source.isUpdating { start() }
  }

  private func restartLater() {
    let clock = source.context.queue
    let retry = clock.alarm(at: clock.now + Self.pause) { [weak self] in self?.restart() }
    let unwanted = state.withLock { state in
      if !state.isRunning { return retry as Streams.Connection? }
      defer { state.retry = retry }
      return state.retry
    }
    unwanted?.disconnect()
  }

  private func note(_ event: SourceEvent) {
    switch event.what {
    case .availabilityChanged(let availability) where availability.state == .available:
      restart()
    case .stopped(.some):
      hand(source.allValues, all: true)
      restartLater()
    default: break
    }
  }

  private func hand(_ samples: [Sample], all: Bool) {
    let properties = source.properties
    // Samples from before the source was bound to its instance may have other properties (sources
    // N5).
    guard samples.count == properties.count else { return }
    receive(properties, samples, all)
  }
}
