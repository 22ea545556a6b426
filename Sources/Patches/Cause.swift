import Gathering
import Values

/// What a value gives to the values it causes: its times and, where it has no payload, its reason.
struct Cause: Sendable {
  let time: Int64
  let realtime: Int64
  let clockOrigin: ClockOrigin
  let status: ValueStatus
  let absence: Absence?

  init(_ sample: Sample) {
    time = sample.time
    realtime = sample.realtime
    clockOrigin = sample.clockOrigin
    status = sample.status
    absence = sample.absence
  }
}

extension Sample {
  /// Whether it has no time yet.
  var isUnstamped: Bool { time == 0 && realtime == 0 }

  mutating func stamp(_ instant: (time: Int64, realtime: Int64)) {
    (time, realtime) = instant
  }

  /// Takes the times of what caused it and, if neither has a payload, the reason for that.
  mutating func follow(_ cause: Cause) {
    guard isUnstamped else { return }
    (time, realtime) = (cause.time, cause.realtime)
    clockOrigin = cause.clockOrigin
    if case .none = value, status == .ok, !cause.status.hasPayload {
      status = cause.status
      absence = cause.absence
    }
  }

  /// As an initial value: it is not new.
  var asInitialValue: Sample {
    var sample = self
    sample.flags.remove(.isNew)
    return sample
  }
}
