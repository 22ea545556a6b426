import Gathering
import Values

/// The values a battery reports in charge instead of energy, kept with its reading.
struct BatteryCharges: Equatable {
  /// Microampere hours, now, when full and as designed; negative if not reported.
  let now, full, design: Int64

  init(now: Int64?, full: Int64?, design: Int64?) {
    self.now = now ?? -1
    self.full = full ?? -1
    self.design = design ?? -1
  }

  /// The charges a reading carries, if it does.
  init?(_ counters: [Int64]) {
    guard counters.count == 3 else { return nil }
    (now, full, design) = (counters[0], counters[1], counters[2])
  }

  var counters: [Int64] { [now, full, design] }

  /// Full over design, if both are known.
  var health: Outcome? {
    full >= 0 && design > 0 ? .ok(.double(Double(full) / Double(design))) : nil
  }
}
