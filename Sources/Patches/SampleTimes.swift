import Gathering

extension Sample {
  /// Whether it has no time yet.
  var isUnstamped: Bool { time == 0 && realtime == 0 }

  mutating func stamp(_ instant: (time: Int64, realtime: Int64)) {
    (time, realtime) = instant
  }

  /// As an initial value: it is not new.
  var asInitialValue: Sample {
    var sample = self
    sample.flags.remove(.isNew)
    return sample
  }
}
