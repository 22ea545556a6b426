import Gathering
import Values

extension Sample {
  /// Whether it has no time yet.
  var isUnstamped: Bool { time == 0 && realtime == 0 }

  mutating func stamp(_ instant: (time: Int64, realtime: Int64)) {
    (time, realtime) = instant
  }

  /// Takes the times of what caused it; and, having no payload either, why there is none.
  mutating func follow(_ cause: Sample) {
    guard isUnstamped else { return }
    (time, realtime) = (cause.time, cause.realtime)
    clockOrigin = cause.clockOrigin
    if value == .none, status == .ok, !cause.status.hasPayload {
      status = cause.status
      absence = cause.absence
    }
  }

  /// What of it causes other samples.
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
