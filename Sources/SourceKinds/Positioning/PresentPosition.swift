import Gathering
import Machine
import Motion

/// Where the machine is, as far as somebody listens to receivers: a gps source that updates or,
/// while a session of the reader's own does and may know, the reader itself. What is withheld there
/// is not to be had here.
final class PresentPosition: Sendable {
  /// What a reader listens to for its own sessions.
  private struct Own {
    var isWanted = false
    var listener: PositionListener?
    var lookedAt: Int64?
  }

  /// A declination, and where and when it was computed for.
  private struct Known {
    var latitude, longitude, year: Double
    var declination: Double?
  }

  private let finder: ReceiverFinder?
  private let clock: any MachineClock
  private let known = Monitor<Known?>(nil)
  private let own = Monitor(Own())

  /// How long a look at what is listened to is good for.
  private static let pause: Int64 = 1_000_000_000

  init(on machine: Machine) {
    finder = ReceiverFinder.of(machine)
    clock = machine.clock
  }

  /// Whether a machine may have a gps source.
  static func isPossible(on machine: Machine) -> Bool {
    ReceiverFinder.of(machine)?.discovery().instances.isEmpty == false
  }

  /// Whether somebody listens.
  var isHeard: Bool { finder?.present() != nil }

  /// What the best receiver tells; nil while nobody listens.
  func reading() -> Reading? {
    look()
    return finder?.present()
  }

  // MARK: Listening

  /// Listens as long as a session updates that may know where it is, and to nothing otherwise
  /// (sources P1, P5). Never waits for anybody to answer.
  func tend(_ request: ReadRequest) {
    let isWanted = request.isUpdating && request.allow.permits(.location)
    // Let go outside the lock: the last reference to one ends a connection.
    let old = own.withLock { own -> PositionListener? in
      own.isWanted = isWanted
      if isWanted { return nil }
      defer { own = Own() }
      return own.listener
    }
    withExtendedLifetime(old) {}
    look()
  }

  /// Once a second, asks who tells only when asked, and looks for somebody to listen to where
  /// nobody was.
  private func look() {
    let now = clock.now.boot
    let (isDue, present) = own.withLock { own -> (Bool, PositionListener?) in
      let isEarly = own.lookedAt.map { now - $0 < Self.pause } ?? false
      guard own.isWanted, !isEarly else { return (false, nil) }
      own.lookedAt = now
      return (true, own.listener)
    }
    guard isDue, let listener = present ?? finder?.listenToBest() else { return }
    let isKept = own.withLock { own in
      guard own.isWanted, own.listener == nil || own.listener === listener else { return false }
      own.listener = listener
      return true
    }
    if isKept { listener.link?.ask() }
  }

  // MARK: Declination

  /// From true to magnetic north in degrees, east positive, at a realtime or now; nil without a
  /// position, or outside the years of the model.
  func declination(at realtime: Int64? = nil) -> Double? {
    guard let reading = reading(),
      let latitude = reading[GPS.Field.latitude].number,
      let longitude = reading[GPS.Field.longitude].number
    else { return nil }
    let year = Self.year(of: realtime ?? clock.now.realtime)
    let last = known.withLock { $0 }
    if let last, abs(last.latitude - latitude) < 0.01, abs(last.longitude - longitude) < 0.01,
      abs(last.year - year) < 0.001
    {
      return last.declination
    }
    let field = MagneticModel.field(
      latitude: latitude, longitude: longitude,
      height: reading[GPS.Field.altitudeEllipsoid].number ?? 0, year: year)
    let new = Known(
      latitude: latitude, longitude: longitude, year: year, declination: field?.declination)
    known.withLock { $0 = new }
    return new.declination
  }

  /// The decimal year of nanoseconds since 1970, within a day.
  static func year(of realtime: Int64) -> Double {
    1970 + Double(realtime) / 1e9 / (365.2425 * 86_400)
  }
}

extension ReceiverFinder {
  /// What the best receiver tells; nil while nobody listens to one.
  func present() -> Reading? {
    guard let (receivers, provider, now) = heard(), !receivers.isEmpty else { return nil }
    let members = receivers.map { receiver in
      var member = Reading(properties: GPS.table.count)
      receiver.fill(&member, provider: provider, at: now)
      return member
    }
    var best = Reading(properties: GPS.table.count)
    GPS().combine(members, into: &best)
    return best
  }
}
