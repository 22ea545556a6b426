import Gathering
import Values

/// A sample on its way through a loop, without what has references: it is moved as bytes.
///
/// What has references goes beside it, and only where there is any: `Kept`.
struct Parcel: Sendable {
  /// A payload.
  enum Content: Sendable {
    case none
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case vector(Vector)
    case time(Int64)
    /// The payload is what is kept beside it.
    case kept
  }

  private(set) var content = Content.none
  private(set) var status = ValueStatus.ok
  private(set) var flags = SampleFlags.isNew
  private(set) var clockOrigin = ClockOrigin.library
  /// Whether something is kept beside it.
  private(set) var hasKept = false
  var sequence: UInt64 = 0
  private(set) var time: Int64 = 0
  private(set) var realtime: Int64 = 0

  /// An empty one.
  init() {}

  /// A payload without times. A function borrows what an initializer would copy.
  static func carrying(_ payload: Payload) -> Parcel {
    var parcel = Parcel()
    switch payload {
    case .double(let number): parcel.content = .double(number)
    case .int(let number): parcel.content = .int(number)
    case .vector(let vector): parcel.content = .vector(vector)
    case .none: break
    case .bool(let flag): parcel.content = .bool(flag)
    case .time(let moment): parcel.content = .time(moment)
    case .string, .bytes, .dictionary, .list:
      parcel.content = .kept
      parcel.hasKept = true
    }
    return parcel
  }

  static func carrying(_ sample: Sample) -> Parcel {
    var parcel = carrying(sample.value)
    if sample.absence != nil { parcel.hasKept = true }
    parcel.status = sample.status
    parcel.flags = sample.flags
    parcel.clockOrigin = sample.clockOrigin
    parcel.sequence = sample.sequence
    parcel.stamp((sample.time, sample.realtime))
    return parcel
  }

  /// As a sample again, with what is kept beside it.
  func sample(_ kept: Kept?) -> Sample {
    Sample(
      payload(kept), status: status, flags: flags, clockOrigin: clockOrigin, time: time,
      realtime: realtime, sequence: sequence, absence: kept?.absence)
  }

  func payload(_ kept: Kept?) -> Payload {
    switch content {
    case .double(let number): .double(number)
    case .int(let number): .int(number)
    case .vector(let vector): .vector(vector)
    case .none: .none
    case .bool(let flag): .bool(flag)
    case .time(let moment): .time(moment)
    case .kept: kept?.value ?? .none
    }
  }

  /// Whether a port of a hint takes it.
  func fits(_ hint: PortType, _ kept: Kept?) -> Bool {
    if case .any = hint { return true }
    return hint.takes(payload(kept))
  }

  // MARK: Its times

  /// Whether it has no time yet.
  var isUnstamped: Bool { time == 0 && realtime == 0 }

  mutating func stamp(_ instant: (time: Int64, realtime: Int64)) {
    (time, realtime) = instant
  }

  /// Takes the times of what caused it and, if neither has a payload, the reason for that.
  mutating func follow(_ cause: Parcel, _ kept: inout Kept?, _ reason: Kept?) {
    (time, realtime) = (cause.time, cause.realtime)
    clockOrigin = cause.clockOrigin
    if case .none = content, status == .ok, !cause.status.hasPayload {
      status = cause.status
      hasKept = cause.hasKept
      kept = reason
    }
  }
}

/// What has references of a sample: shared by all that waits and is remembered of it (patches,
/// section 7).
final class Kept: Sendable {
  let value: Value
  let absence: Absence?

  private init(_ value: Value, _ absence: Absence?) {
    self.value = value
    self.absence = absence
  }

  /// What is to be kept beside a parcel; nil if there is nothing.
  static func beside(_ parcel: Parcel, _ value: Value, _ absence: Absence? = nil) -> Kept? {
    parcel.hasKept ? Kept(value, absence) : nil
  }
}
