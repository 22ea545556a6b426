import Gathering
import Ground
import Machine
import Values

/// The position of a receiver of satellite signals, from gpsd, GeoClue, a modem or a serial port.
struct GPS: CatalogueKind {
  enum Field: Int, PropertyField {
    case latitude, longitude, altitudeMsl, altitudeEllipsoid, horizontalAccuracy, verticalAccuracy
    case speed, speedAccuracy, course, courseAccuracy, climb, climbAccuracy, fix, fixQuality
    case time, timeAccuracy, satellitesUsed, satellitesVisible, hdop, vdop, pdop, provider, device

    var property: Property {
      switch self {
      case .latitude: Property("latitude", .double, unit: "deg", .continuous, range: -90...90)
      case .longitude: Property("longitude", .double, unit: "deg", .continuous, range: -180...180)
      case .altitudeMsl:
        Property("altitude_msl", .double, unit: "m", .continuous, name: "Altitude above sea level")
      case .altitudeEllipsoid:
        Property(
          "altitude_ellipsoid", .double, unit: "m", .continuous, name: "Altitude above ellipsoid")
      case .horizontalAccuracy:
        Property("horizontal_accuracy", .double, unit: "m", .continuous, range: notNegative)
      case .verticalAccuracy:
        Property("vertical_accuracy", .double, unit: "m", .continuous, range: notNegative)
      case .speed: Property("speed", .double, unit: "m/s", .continuous, range: notNegative)
      case .speedAccuracy:
        Property("speed_accuracy", .double, unit: "m/s", .continuous, range: notNegative)
      case .course: Property("course", .double, unit: "deg", .continuous, range: 0...360)
      case .courseAccuracy:
        Property("course_accuracy", .double, unit: "deg", .continuous, range: notNegative)
      case .climb: Property("climb", .double, unit: "m/s", .continuous)
      case .climbAccuracy:
        Property("climb_accuracy", .double, unit: "m/s", .continuous, range: notNegative)
      case .fix: Property("fix", .enumeration(["none", "2d", "3d"]), .onChange)
      case .fixQuality: Property("fix_quality", .enumeration(qualities), .onChange)
      case .time: Property("time", .time, .continuous)
      case .timeAccuracy:
        Property("time_accuracy", .double, unit: "s", .continuous, range: notNegative)
      case .satellitesUsed: Property("satellites_used", .int, unit: "1", .onChange)
      case .satellitesVisible: Property("satellites_visible", .int, unit: "1", .onChange)
      case .hdop:
        Property("hdop", .double, unit: "1", .continuous, range: notNegative, name: "HDOP")
      case .vdop:
        Property("vdop", .double, unit: "1", .continuous, range: notNegative, name: "VDOP")
      case .pdop:
        Property("pdop", .double, unit: "1", .continuous, range: notNegative, name: "PDOP")
      case .provider:
        Property("provider", .enumeration(["gpsd", "geoclue", "modem", "nmea"]), .onChange)
      case .device: Property("device", .string, .onChange)
      }
    }
  }

  let kind = "gps"
  let name = "GPS"
  let intervals = Intervals(seconds: 1, minimum: 0.1, eventDriven: true)
  /// Where a person is stays private unless it is allowed.
  let category: PrivacyCategory? = .location
  /// Change notices about receivers.
  let topics: [ChangeTopic] = PresentPosition.topics
  let hasAggregate = true
  static let table = Field.properties

  private static let notNegative = 0.0...Double.greatestFiniteMagnitude
  private static let qualities = [
    "normal", "dgps", "rtk_fixed", "rtk_float", "dead_reckoning", "surveyed", "simulated", "pps",
  ]

  /// The receivers as far as they are known, after the aggregate of all; connects to nothing.
  func discover(on machine: Machine) -> Discovery {
    ReceiverFinder.of(machine)?.discovery() ?? Discovery([], orElse: .noGpsdInTree)
  }

  /// Connects, unless others have; throws why that cannot be done.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    guard let finder = ReceiverFinder.of(machine) else { throw .unavailable(.noGpsdInTree) }
    let listener = try finder.listen(to: instance)
    if instance.isAggregate { return BestReceiverReader(listener, clock: machine.clock) }
    return ReceiverReader(
      instance.notes["device"] ?? instance.name, of: instance.notes["backend"] ?? "", listener,
      clock: machine.clock)
  }

  /// All values of the best receiver.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    // Receivers that the aggregate reads itself are no members.
    if members.isEmpty { return }
    let numbers = aggregate.counters
    let candidate =
      numbers.count == 2 ? BestReceiver.Candidate(name: numbers[0], since: numbers[1]) : nil
    let present = aggregate[Field.device].value.text
    guard
      let choice = BestReceiver(members).choose(
        after: present, candidate: candidate, at: aggregate.instant.boot)
    else { return }
    for index in aggregate.outcomes.indices {
      var outcome = members[choice.index][index]
      // Another receiver's report may have begun a little earlier.
      if let before = aggregate[index].stamp, let stamp = outcome.stamp, stamp < before {
        outcome.stamp = before
      }
      aggregate[index] = outcome
    }
    aggregate.counters = choice.candidate.map { [$0.name, $0.since] } ?? []
  }
}
