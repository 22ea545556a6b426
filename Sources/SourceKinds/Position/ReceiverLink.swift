import Gathering
import Ground
import Machine

/// The one connection to a gpsd, or to a receiver's own port, that all sources of a context share:
/// open while one of them listens.
final class ReceiverLink: PositionLink {
  /// The protocol of the other side.
  enum Dialect: Sendable {
    case gpsd
    /// A receiver on a port of its own, by its device.
    case nmea(device: String)

    /// The word of the property `provider`.
    var provider: String {
      switch self {
      case .gpsd: "gpsd"
      case .nmea: "nmea"
      }
    }
  }

  let dialect: Dialect
  private let link: any LineLink
  private let ports: PortNames
  private let clock: any TimeSource
  private let notices: (any ChangeNotices)?
  private let state: Monitor<LinkState>

  init(
    _ dialect: Dialect, link: any LineLink, ports: PortNames, clock: any TimeSource,
    notices: (any ChangeNotices)?
  ) {
    self.dialect = dialect
    self.link = link
    self.ports = ports
    self.clock = clock
    self.notices = notices
    state = Monitor(LinkState(dialect: dialect))
  }

  var provider: String { dialect.provider }

  var phase: LinkState.Phase { state.withLock { $0.phase } }

  var receivers: [PositionReceiver] { state.withLock { $0.receivers } }

  func shown(_ device: String) -> String { ports.shown(device) }

  func beginListening() {
    guard let generation = state.withLock({ $0.beginListening() }) else { return }
    connect(generation)
  }

  func retry() {
    let now = clock.now.boot
    guard let (generation, old) = state.withLock({ $0.beginAnew(at: now) }) else { return }
    old?.cancel()
    connect(generation)
  }

  private func connect(_ generation: Int) {
    let connection = link.open { [weak self] event in
      self?.handle(event, generation) ?? LineResponse(hangUp: SystemText.notPermitted)
    }
    let isLate = state.withLock { !$0.keep(connection, generation) }
    if isLate { connection.cancel() }
  }

  /// Forgets the devices of an earlier connection: their daemon is away.
  func forgetReceivers() { state.withLock { $0.forgetReceivers() } }

  func endListening() {
    // Ended outside the lock: a cancelled connection may call back.
    let ended = state.withLock { $0.endListening() }
    ended?.cancel()
  }

  private func handle(_ event: LineEvent, _ generation: Int) -> LineResponse {
    let now = clock.now.boot
    let (answer, news) = state.withLock { $0.handle(event, generation, at: now) }
    state.signalAll()
    if news.isListNew { notices?.send(ChangeNotice(topic: PositionTopic.list)) }
    for device in news.reporters {
      notices?.send(ChangeNotice(topic: PositionTopic.report(of: device)))
    }
    return answer
  }

  func awaitDecision(atMost limit: Int64) -> LinkState.Phase {
    state.wait(until: Monitor<Void>.moment(after: limit)) { state in
      state.isConnecting ? nil : state.phase
    } ?? phase
  }

  func awaitFirstReport(atMost limit: Int64) {
    _ = state.wait(until: Monitor<Void>.moment(after: limit)) { state in
      guard case .connected = state.phase else { return state.isConnecting ? nil : true }
      return state.receivers.contains(where: \.hasReported) ? true : nil
    }
  }
}
