import Gathering
import Streams

/// The newest value, once it has been quiet for a while (streams L34).
struct Debounce: HoldingKind {
  static let type = "debounce"
  static let summary = "The newest value, once a duration has passed without another."
  static let options = OperatorDescription.of(.debounce).ports("duration")

  var holding: DebounceOperator<Sample>?

  init() {}
}
