import Gathering
import Machine

/// The one connection to a gpsd, or to a receiver's own port, that all sources of a context share:
/// open as long as anybody listens.
final class ReceiverLink: Sendable {
  /// Who speaks on the other side.
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
  private let clock: any MachineClock
  private let notices: (any ChangeNotices)?
  private let state: Monitor<LinkState>

  init(
    _ dialect: Dialect, link: any LineLink, clock: any MachineClock,
    notices: (any ChangeNotices)?
  ) {
    self.dialect = dialect
    self.link = link
    self.clock = clock
    self.notices = notices
    state = Monitor(LinkState(dialect: dialect))
  }

  /// How far the connection is.
  var phase: LinkState.Phase { state.withLock { $0.phase } }

  /// What the receivers have told; those of an earlier connection by name only.
  var receivers: [Receiver] { state.withLock { $0.receivers } }

  /// Makes the connection, unless others have it already; it lasts as long as the answer is held.
  func listen() -> ReceiverListener {
    let generation = state.withLock { $0.beginListening() }
    if let generation {
      let connection = link.open { [weak self] event in
        self?.handle(event, generation) ?? LineAnswer(hangUp: SystemText.notPermitted)
      }
      let isLate = state.withLock { !$0.keep(connection, generation) }
      if isLate { connection.cancel() }
    }
    return ReceiverListener(link: self)
  }

  /// Forgets the devices of an earlier connection: their daemon is away.
  func forgetReceivers() { state.withLock { $0.forgetReceivers() } }

  fileprivate func endListening() {
    // Ended outside the lock: what is cancelled may call back.
    let ended = state.withLock { $0.endListening() }
    ended?.cancel()
  }

  private func handle(_ event: LineEvent, _ generation: Int) -> LineAnswer {
    let now = clock.now.boot
    let (answer, news) = state.withLock { $0.handle(event, generation, at: now) }
    state.signalAll()
    if news.isListNew { tellOfList() }
    for device in news.reporters {
      notices?.send(ChangeNotice(topic: Self.topic(of: device)))
    }
    return answer
  }

  /// Lets whoever watches look at the list again.
  func tellOfList() {
    notices?.send(ChangeNotice(topic: .service("gpsd")))
  }

  /// What a receiver's reports are told by.
  static func topic(of device: String) -> ChangeTopic { .report(service: "gpsd", of: device) }

  /// Waits for the connection to be made or refused, so many nanoseconds at most; how far it is
  /// then.
  func awaitDecision(atMost limit: Int64) -> LinkState.Phase {
    state.wait(until: Monitor<Void>.moment(after: limit)) { state in
      state.isConnecting ? nil : state.phase
    } ?? phase
  }

  /// Waits for the first report since the connection was made.
  func awaitFirstReport(of device: String?, atMost limit: Int64) {
    _ = state.wait(until: Monitor<Void>.moment(after: limit)) { state in
      guard case .connected = state.phase else { return state.isConnecting ? nil : true }
      let isIn = state.receivers.contains {
        $0.hasReported && (device == nil || $0.device == device)
      }
      return isIn ? true : nil
    }
  }
}

/// Keeps a link's connection.
final class ReceiverListener: ReportListener {
  let link: ReceiverLink
  private let device: String?

  fileprivate init(link: ReceiverLink, device: String? = nil) {
    self.link = link
    self.device = device
  }

  deinit { link.endListening() }

  func awaitFirstReport(atMost limit: Int64) {
    link.awaitFirstReport(of: nil, atMost: limit)
  }
}
