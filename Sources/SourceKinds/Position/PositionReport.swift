import Gathering
import Values

/// The content of one message of a receiver: values of some fields, and the quality of its fix.
struct PositionReport: Sendable {
  /// To which moment of the receiver's a report belongs.
  enum Epoch: Equatable, Sendable {
    /// The present epoch: satellites, dilutions, a course without a time.
    case current
    /// An epoch named by the receiver; nil if it has no time. Only compared, never a time stamp.
    case named(Int64?)
  }

  var epoch: Epoch
  /// 0 or 1 without a fix, 2 for a 2D fix, 3 for a 3D fix; nil if not reported.
  var mode: Int?
  var values: [GPSField: ReceiverValue] = [:]

  init(_ epoch: Epoch, mode: Int? = nil) {
    self.epoch = epoch
    self.mode = mode
  }
}

/// A value as a receiver reported it.
struct ReceiverValue: Sendable {
  var outcome: Outcome
  var raw: RawValue

  init(_ outcome: Outcome, raw: RawValue) {
    self.outcome = outcome
    self.raw = raw
  }

  /// A number as a field takes it: in its range, in its own terms.
  init(_ number: Double, of field: GPSField, raw: RawValue) {
    self.init(Self.outcome(number, of: field), raw: raw)
  }

  private static func outcome(_ number: Double, of field: GPSField) -> Outcome {
    guard number.isFinite else { return .noData("the receiver does not know") }
    // North has two names; we keep one.
    let value = field == .course && number == 360 ? 0 : number
    let range = GPSField.table[field].range ?? -Double.infinity...Double.infinity
    guard range.contains(value), !(field == .course && value == 360) else {
      return .failed("\(number) is implausible")
    }
    return .ok(.double(value))
  }
}
