import Ground
import Machine

/// How far a link to GeoClue is.
struct GeoClueState: ServiceLinkState {
  /// How far the client is.
  enum Step {
    /// The daemon is away, or no source listens.
    case none
    case asked
    case started
  }

  var listeners = 0
  /// Counts clients as well.
  var generation = 0
  var phase = LinkState.Phase.closed
  var step = Step.none
  var receiver = GeoClueState.unlocated
  var client: String?
  var location: String?
  var isAsking = false
  var delays = RetryDelays()
  var watch: (any Cancellable)?
  var clientWatch: (any Cancellable)?

  var receivers: [PositionReceiver] { phase == .closed ? [] : [receiver] }

  private static let unlocated = PositionReceiver(
    device: GeoClueDaemon.word, lacking: GeoClueDaemon.lacks)
}
