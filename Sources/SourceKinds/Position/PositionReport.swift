import Gathering
import Values

/// What one message of a receiver tells: values of some fields, and how good its fix is.
struct PositionReport: Sendable {
  /// To which moment of the receiver's a report belongs.
  enum Epoch: Equatable, Sendable {
    /// Whatever moment is being told of: satellites, dilutions, a course without a time.
    case current
    /// One the receiver names; nil when it knows no time. Only compared, never a time stamp.
    case named(Int64?)
  }

  var epoch: Epoch
  /// 0 or 1 without a fix, 2 for one on a level, 3 for one in space; nil if this does not tell.
  var mode: Int?
  var values: [GPS.Field: ReceiverValue] = [:]

  init(_ epoch: Epoch, mode: Int? = nil) {
    self.epoch = epoch
    self.mode = mode
  }
}

/// A value as a receiver told it.
struct ReceiverValue: Sendable {
  var outcome: Outcome
  var raw: RawValue

  init(_ outcome: Outcome, raw: RawValue) {
    self.outcome = outcome
    self.raw = raw
  }

  /// A number as a field takes it: in its range, in its own terms.
  init(_ number: Double, of field: GPS.Field, raw: RawValue) {
    self.init(Self.outcome(number, of: field), raw: raw)
  }

  private static func outcome(_ number: Double, of field: GPS.Field) -> Outcome {
    guard number.isFinite else { return .noData("the receiver does not know") }
    // North has two names; we keep one.
    let value = field == .course && number == 360 ? 0 : number
    let range = GPS.table[field].range ?? -Double.infinity...Double.infinity
    guard range.contains(value), !(field == .course && value == 360) else {
      return .failed("\(number) is implausible")
    }
    return .ok(.double(value))
  }
}

extension GPS.Field {
  /// Fields that a receiver tells with a fix, and does not know without one.
  static let ofFix: [GPS.Field] = [
    .latitude, .longitude, .altitudeMsl, .altitudeEllipsoid, .horizontalAccuracy,
    .verticalAccuracy, .speed, .speedAccuracy, .course, .courseAccuracy, .climb, .climbAccuracy,
    .fixQuality,
  ]
  /// Those of them that need a fix in space.
  static let ofHeight: [GPS.Field] = [.altitudeMsl, .altitudeEllipsoid]
  /// Fields that every epoch tells anew.
  static let ofEpoch: [GPS.Field] = ofFix + [.time, .timeAccuracy]
  /// Fields of the sky, which some receivers tell more rarely.
  static let ofSky: [GPS.Field] = [.satellitesUsed, .satellitesVisible, .hdop, .vdop, .pdop]
}
