import Gathering
import Ground
import Machine
import Motion

/// The position of the machine known to an updating gps source. It makes no connection, and values
/// withheld there are not available here.
final class PresentPosition: Sendable {
  /// A declination, and where and when it was computed for.
  private struct CachedDeclination {
    var latitude, longitude, year: Double
    var declination: Double?
  }

  private let finder: ReceiverFinder?
  private let clock: any TimeSource
  private let cached = Monitor<CachedDeclination?>(nil)

  init(on machine: Machine) {
    finder = ReceiverFinder.of(machine)
    clock = machine.clock
  }

  /// Whether a machine may have a gps source.
  static func isPossible(on machine: Machine) -> Bool {
    ReceiverFinder.of(machine)?.discovery().instances.isEmpty == false
  }

  /// Whether a gps source is updating.
  var isKnown: Bool { finder?.present() != nil }

  /// The reading of the best receiver; nil while no gps source updates.
  func reading() -> Reading? { finder?.present() }

  /// From true to magnetic north in degrees, east positive, at a realtime or now; nil without a
  /// position, or outside the years of the model.
  func declination(at realtime: Int64? = nil) -> Double? {
    guard let reading = finder?.present(),
      let latitude = reading[GPSField.latitude].number,
      let longitude = reading[GPSField.longitude].number
    else { return nil }
    let year = Self.year(of: realtime ?? clock.now.realtime)
    let last = cached.withLock { $0 }
    if let last, abs(last.latitude - latitude) < 0.01, abs(last.longitude - longitude) < 0.01,
      abs(last.year - year) < 0.001
    {
      return last.declination
    }
    let field = MagneticModel.field(
      latitude: latitude, longitude: longitude,
      height: reading[GPSField.altitudeEllipsoid].number ?? 0, year: year)
    let new = CachedDeclination(
      latitude: latitude, longitude: longitude, year: year, declination: field?.declination)
    cached.withLock { $0 = new }
    return new.declination
  }

  /// The decimal year of nanoseconds since 1970, within a day.
  static func year(of realtime: Int64) -> Double {
    1970 + Double(realtime) / 1e9 / (365.2425 * 86_400)
  }
}

extension ReceiverFinder {
  /// The reading of the best receiver; nil while no source listens to one.
  func present() -> Reading? {
    guard let (receivers, provider, now) = reporting(), !receivers.isEmpty else { return nil }
    let members = receivers.map { receiver in
      var member = Reading(properties: GPSField.table.count)
      receiver.fill(&member, provider: provider, at: now)
      return member
    }
    var best = Reading(properties: GPSField.table.count)
    BestReceiver.combine(members, into: &best)
    return best
  }
}
