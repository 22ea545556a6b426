import Gathering
import Ground
import Machine
import Values

/// The position of a receiver of satellite signals, from gpsd, GeoClue, a modem or a serial port.
struct GPS: SourceKind {
  /// A GPS kind; it holds nothing.
  init() {}

  enum Field: Int, CaseIterable {
    case latitude, longitude, altitudeMsl, altitudeEllipsoid, horizontalAccuracy, verticalAccuracy
    case speed, speedAccuracy, course, courseAccuracy, climb, climbAccuracy, fix, fixQuality
    case time, timeAccuracy, satellitesUsed, satellitesVisible, hdop, vdop, pdop, provider, device
  }

  /// The word in identifiers.
  let kind = "gps"
  /// The name for people.
  let name = "GPS"
  /// How often it is read unless asked otherwise, and at most.
  let intervals = Intervals(seconds: 1, minimum: 0.1, eventDriven: true)
  /// Where a person is stays private unless it is allowed.
  let category: PrivacyCategory? = .location
  /// What tells of receivers by itself.
  let topics: [ChangeTopic] = PresentPosition.topics
  /// One instance speaks for all.
  let hasAggregate = true
  /// The catalogue's table, in its order.
  var properties: [Property] { Self.table }

  static let table: [Property] = [
    Property("latitude", .double, unit: "deg", .continuous, range: -90...90),
    Property("longitude", .double, unit: "deg", .continuous, range: -180...180),
    Property("altitude_msl", .double, unit: "m", .continuous, name: "Altitude above sea level"),
    Property(
      "altitude_ellipsoid", .double, unit: "m", .continuous, name: "Altitude above ellipsoid"),
    Property("horizontal_accuracy", .double, unit: "m", .continuous, range: notNegative),
    Property("vertical_accuracy", .double, unit: "m", .continuous, range: notNegative),
    Property("speed", .double, unit: "m/s", .continuous, range: notNegative),
    Property("speed_accuracy", .double, unit: "m/s", .continuous, range: notNegative),
    Property("course", .double, unit: "deg", .continuous, range: 0...360),
    Property("course_accuracy", .double, unit: "deg", .continuous, range: notNegative),
    Property("climb", .double, unit: "m/s", .continuous),
    Property("climb_accuracy", .double, unit: "m/s", .continuous, range: notNegative),
    Property("fix", .enumeration(["none", "2d", "3d"]), .onChange),
    Property("fix_quality", .enumeration(qualities), .onChange),
    Property("time", .time, .continuous),
    Property("time_accuracy", .double, unit: "s", .continuous, range: notNegative),
    Property("satellites_used", .int, unit: "1", .onChange),
    Property("satellites_visible", .int, unit: "1", .onChange),
    Property("hdop", .double, unit: "1", .continuous, range: notNegative, name: "HDOP"),
    Property("vdop", .double, unit: "1", .continuous, range: notNegative, name: "VDOP"),
    Property("pdop", .double, unit: "1", .continuous, range: notNegative, name: "PDOP"),
    Property("provider", .enumeration(["gpsd", "geoclue", "modem", "nmea"]), .onChange),
    Property("device", .string, .onChange),
  ]

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
    // Receivers that the aggregate has asked itself are no members.
    if members.isEmpty { return }
    let numbers = aggregate.counters
    let rival =
      numbers.count == 2 ? BestReceiver.Rival(name: numbers[0], since: numbers[1]) : nil
    let present = aggregate[Field.device].value.text
    guard
      let choice = BestReceiver(members).choose(
        after: present, rival: rival, at: aggregate.instant.boot)
    else { return }
    for index in aggregate.outcomes.indices {
      var outcome = members[choice.index][index]
      // Another receiver's report may have begun a little earlier.
      if let before = aggregate[index].stamp, let stamp = outcome.stamp, stamp < before {
        outcome.stamp = before
      }
      aggregate[index] = outcome
    }
    aggregate.counters = choice.rival.map { [$0.name, $0.since] } ?? []
  }
}
