import Gathering
import Values

/// The properties of `GPS`.
enum GPSField: Int, PropertyField {
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
      Property("horizontal_accuracy", .double, unit: "m", .continuous, range: Self.notNegative)
    case .verticalAccuracy:
      Property("vertical_accuracy", .double, unit: "m", .continuous, range: Self.notNegative)
    case .speed: Property("speed", .double, unit: "m/s", .continuous, range: Self.notNegative)
    case .speedAccuracy:
      Property("speed_accuracy", .double, unit: "m/s", .continuous, range: Self.notNegative)
    case .course: Property("course", .double, unit: "deg", .continuous, range: 0...360)
    case .courseAccuracy:
      Property("course_accuracy", .double, unit: "deg", .continuous, range: Self.notNegative)
    case .climb: Property("climb", .double, unit: "m/s", .continuous)
    case .climbAccuracy:
      Property("climb_accuracy", .double, unit: "m/s", .continuous, range: Self.notNegative)
    case .fix: Property("fix", .enumeration(["none", "2d", "3d"]), .onChange)
    case .fixQuality: Property("fix_quality", .enumeration(Self.qualities), .onChange)
    case .time: Property("time", .time, .continuous)
    case .timeAccuracy:
      Property("time_accuracy", .double, unit: "s", .continuous, range: Self.notNegative)
    case .satellitesUsed: Property("satellites_used", .int, unit: "1", .onChange)
    case .satellitesVisible: Property("satellites_visible", .int, unit: "1", .onChange)
    case .hdop:
      Property("hdop", .double, unit: "1", .continuous, range: Self.notNegative, name: "HDOP")
    case .vdop:
      Property("vdop", .double, unit: "1", .continuous, range: Self.notNegative, name: "VDOP")
    case .pdop:
      Property("pdop", .double, unit: "1", .continuous, range: Self.notNegative, name: "PDOP")
    case .provider:
      Property("provider", .enumeration(["gpsd", "geoclue", "modem", "nmea"]), .onChange)
    case .device: Property("device", .string, .onChange)
    }
  }

  /// The properties, made once.
  static let table = properties

  /// Fields that a receiver reports with a fix only.
  static let ofFix: [GPSField] = [
    .latitude, .longitude, .altitudeMsl, .altitudeEllipsoid, .horizontalAccuracy,
    .verticalAccuracy, .speed, .speedAccuracy, .course, .courseAccuracy, .climb, .climbAccuracy,
    .fixQuality,
  ]
  /// The fields that need a 3D fix.
  static let ofHeight: [GPSField] = [.altitudeMsl, .altitudeEllipsoid]
  /// Fields that every epoch reports again.
  static let ofEpoch: [GPSField] = ofFix + [.time, .timeAccuracy]
  /// Fields about satellites in view, which some receivers report less often.
  static let ofSky: [GPSField] = [.satellitesUsed, .satellitesVisible, .hdop, .vdop, .pdop]

  private static let notNegative = 0.0...Double.greatestFiniteMagnitude
  private static let qualities = [
    "normal", "dgps", "rtk_fixed", "rtk_float", "dead_reckoning", "surveyed", "simulated", "pps",
  ]
}
