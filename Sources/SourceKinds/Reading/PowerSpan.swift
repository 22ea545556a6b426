import Gathering
import Ground
import Values

/// What the power over the time between two readings is made of: joules that are counted, and watts
/// that are measured beside them.
struct PowerSpan {
  /// How often a counter began anew.
  var restarts: Int64 = 0
  var microjoules: Int64 = 0
  var microwatts: Int64 = 0
  var isEstimate = false

  /// Whose power it is: that of the source itself, or of the whole machine.
  enum Whose: Int {
    case own, system
  }

  private static let width = 4

  /// Keeps it among the counters of a reading.
  static func put(_ span: PowerSpan?, _ whose: Whose, in counters: inout [Int64]) {
    let start = whose.rawValue * width
    let missing = start + width - counters.count
    if missing > 0 { counters += [Int64](repeating: -1, count: missing) }
    counters[start] = span?.restarts ?? -1
    counters[start + 1] = span?.microjoules ?? -1
    counters[start + 2] = span?.microwatts ?? -1
    counters[start + 3] = span?.isEstimate == true ? 1 : 0
  }

  /// What a reading's counters keep; nil if nothing is counted.
  init?(_ counters: [Int64], _ whose: Whose) {
    let start = whose.rawValue * Self.width
    guard counters.count >= start + Self.width, counters[start] >= 0 else { return nil }
    (restarts, microjoules) = (counters[start], counters[start + 1])
    (microwatts, isEstimate) = (counters[start + 2], counters[start + 3] == 1)
  }

  init(restarts: Int64 = 0, microjoules: Int64 = 0) {
    self.restarts = restarts
    self.microjoules = microjoules
  }

  /// Adds what is counted or measured of another; false, and nothing is added, beyond all bounds.
  mutating func add(_ other: PowerSpan) -> Bool {
    let (joules, overflow) = microjoules.addingReportingOverflow(other.microjoules)
    let (watts, carry) = microwatts.addingReportingOverflow(other.microwatts)
    if overflow || carry { return false }
    (restarts, microjoules, microwatts) = (restarts &+ other.restarts, joules, watts)
    return true
  }

  /// The power of a session, from its previous reading to this one.
  static func rule(of field: some RawRepresentable<Int>, _ whose: Whose) -> SpanRule {
    SpanRule(field.rawValue) { previous, current in
      // A reading without counters has its power, or the reason why not.
      guard let now = PowerSpan(current.counters, whose) else { return .kept }
      let elapsed = current.instant.boot - previous.instant.boot
      guard let before = PowerSpan(previous.counters, whose), before.restarts == now.restarts,
        elapsed > 0, now.microjoules >= before.microjoules
      else { return .known(.needsTwoReadings) }
      let joules = Double(now.microjoules - before.microjoules) / 1e6
      let watts = joules * 1e9 / Double(elapsed) + Double(now.microwatts) / 1e6
      return now.isEstimate ? .outcome(.ok(.double(watts), lowAccuracy: true)) : .number(watts)
    }
  }
}
