import Gathering
import Ground
import Machine

/// The link to the receivers of one backend, shared by all sources of a context: open while one of
/// them listens.
protocol PositionLink: AnyObject, Sendable {
  /// The word of the property `provider`.
  var provider: String { get }
  /// How far the connection is.
  var phase: LinkState.Phase { get }
  /// The receivers and their reports; those of an earlier connection by name only.
  var receivers: [PositionReceiver] { get }
  /// The name of a receiver's device as it is shown where serial numbers are not allowed.
  func shown(_ device: String) -> String
  /// One more listens: the connection is made, unless others have it already. Never waits.
  func beginListening()
  /// One less listens: the connection of the last one is ended.
  func endListening()
  /// Waits for the connection to be made or refused, at most `limit` nanoseconds; returns its phase
  /// then.
  func awaitDecision(atMost limit: Int64) -> LinkState.Phase
  /// Waits for the first report since the connection was made.
  func awaitFirstReport(atMost limit: Int64)
  /// Called before a reading: queries services that report only on request. Never waits.
  func ask()
  /// Retries at once what was refused or lost.
  func retry()
}

extension PositionLink {
  /// Daemons of the bus name no device by its serial number.
  func shown(_ device: String) -> String { device }
  /// A service that reports by itself is not queried.
  func ask() {}
  /// A service that announces its return is not retried.
  func retry() {}
}

/// The topics by which links notify a context.
enum PositionTopic {
  /// There are other receivers, or they are in another state.
  static let list = ChangeTopic.service("gpsd")

  /// A receiver has a new report.
  static func report(of device: String) -> ChangeTopic { .report(service: "gpsd", of: device) }
}

/// Keeps the connection of a source: of one receiver its own, of all that of the backend in use.
final class PositionListener: ReportListener {
  private let own: (any PositionLink)?
  private let givesWay: Bool
  private let held: Monitor<(any PositionLink)?>

  /// Listens to one backend, as the source of one of its receivers or, without `own`, of all.
  init(to link: any PositionLink, own: (any PositionLink)?, givesWay: Bool = false) {
    self.own = own
    self.givesWay = givesWay
    held = Monitor(link)
    link.beginListening()
  }

  deinit { link?.endListening() }

  /// What is listened to at the moment; nil while another backend has precedence.
  var link: (any PositionLink)? { held.withLock { $0 } }

  /// Another backend is in use now. Who speaks for all goes with it; a port that the backend reads
  /// as well is left to it, since two readers steal each other's bytes.
  func follow(_ chosen: any PositionLink) {
    if let own {
      if givesWay { move(to: chosen === own ? own : nil) }
    } else {
      move(to: chosen)
    }
  }

  private func move(to new: (any PositionLink)?) {
    let old = held.withLock { held in
      defer { held = new }
      return held
    }
    if old === new { return }
    // The old one first: both may want the same device.
    old?.endListening()
    new?.beginListening()
  }

  func awaitFirstReport(atMost limit: Int64) {
    link?.awaitFirstReport(atMost: limit)
  }
}
