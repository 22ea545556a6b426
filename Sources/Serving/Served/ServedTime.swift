import Gathering
import Ground
import Values

extension ServedContext {
  /// The present time, of the clock and since the machine began.
  var clock: ValueDictionary {
    let now = context.now
    return ["time_ns": JSONBody.moment(now.realtime), "boot_ns": JSONBody.moment(now.boot)]
  }

  /// Where a replay is; nil in other contexts.
  var replay: ValueDictionary? {
    guard let rate = context.rate, let position = context.position,
      let duration = context.duration
    else { return nil }
    return [
      "playing": .bool(rate > 0), "rate": .double(rate),
      "position": .double(Double(position) / 1e9),
      "duration": .double(Double(duration) / 1e9),
    ]
  }
}
