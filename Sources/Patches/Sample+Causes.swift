import Gathering
import Values

extension Sample {
  /// Whether it has no time yet.
  var isUnstamped: Bool { time == 0 && realtime == 0 }

  mutating func stamp(_ instant: (time: Int64, realtime: Int64)) {
    (time, realtime) = instant
  }

  /// Takes the times of the sample that caused it and, if neither has a payload, its reason for
  /// that.
  mutating func follow(_ cause: Sample) {
    guard isUnstamped else { return }
    (time, realtime) = (cause.time, cause.realtime)
    clockOrigin = cause.clockOrigin
    if value == .none, status == .ok, !cause.status.hasPayload {
      status = cause.status
      absence = cause.absence
    }
  }

  /// The sample as a cause of other samples.
  var withoutPayload: Sample {
    var sample = self
    sample.value = .none
    return sample
  }

  /// As an initial value: it is not new.
  var asInitialValue: Sample {
    var sample = self
    sample.flags.remove(.isNew)
    return sample
  }
}
