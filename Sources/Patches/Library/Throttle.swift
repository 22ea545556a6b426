import Gathering
import Streams

/// At most one value in a duration (streams L33).
struct Throttle: HoldingKind {
  static let type = "throttle"
  static let summary = "At most one value in a duration, the newest at its end."
  static let options = OperatorDescription.of(.throttle).ports("duration")

  var holding: ThrottleOperator<Sample>?

  init() {}
}
