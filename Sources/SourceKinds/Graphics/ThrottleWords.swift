import Gathering
import Values

/// Why a card is slowed down, in words that hold for all drivers.
enum ThrottleWords {
  private static let order = ["power", "thermal", "brake", "reliability", "other"]

  static let none = KeptOutcome(.noData("not throttled"))

  /// Each word once.
  static func outcome(of words: [String]) -> Outcome {
    let present = order.filter { words.contains($0) }
    return present.isEmpty ? none.outcome : .ok(.string(present.joined(separator: " ")))
  }

  /// The word for a reason of i915 and xe: `pl1`, `thermal`, `vr_tdc`.
  static func word(ofIntel reason: Substring) -> String {
    if reason.hasPrefix("pl") { return "power" }
    let isHeat = ["thermal", "prochot", "ratl", "vr_thermalert"].contains { reason == $0 }
    return isHeat ? "thermal" : "other"
  }

  /// The words for the bits of NVML: nvmlClocksEventReason… in nvml.h. A card that is idle or has
  /// clocks of its user's choice is not slowed down.
  static func words(ofNvidia bits: Int64) -> [String] {
    let masks: [(mask: Int64, word: String)] = [
      (0x4 | 0x200, "power"), (0x20 | 0x40, "thermal"), (0x80, "brake"), (0x400, "reliability"),
      (0x8, "other"),
    ]
    return masks.filter { bits & $0.mask != 0 }.map(\.word)
  }
}
