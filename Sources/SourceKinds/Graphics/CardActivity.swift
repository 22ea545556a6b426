import Gathering
import Ground
import Values

/// What the utilization between two readings is made of: counters of the units of a card, or of
/// several cards, and what is measured beside them.
struct CardActivity {
  /// A unit whose time is counted.
  struct Unit {
    /// Its number, and that of its card.
    var tag: Int64
    var form: Form
    var count: Int64
    /// When it was counted, by a clock of its own in nanoseconds; −1 by ours.
    var time: Int64 = -1
  }

  /// What is counted.
  enum Form: Int64 {
    /// Milliseconds asleep, in 32 bits.
    case idle
    /// Nanoseconds at work.
    case busy
  }

  var units: [Unit] = []
  /// The greatest share that was measured at once.
  var known: Double?
  var isEstimate = false

  /// Behind those of power.
  private static let start = 4
  private static let width = 4

  init() {}

  /// Keeps it among the counters of a reading, if anything is counted.
  func put(in counters: inout [Int64]) {
    if units.isEmpty { return }
    let missing = Self.start - counters.count
    if missing > 0 { counters += [Int64](repeating: -1, count: missing) }
    counters += [known.map { Int64(($0 * 1e9).rounded()) } ?? -1, isEstimate ? 1 : 0]
    for unit in units { counters += [unit.tag, unit.form.rawValue, unit.count, unit.time] }
  }

  /// What a reading's counters keep; nil if nothing is counted.
  init?(_ counters: [Int64]) {
    let first = Self.start + 2
    guard counters.count > first else { return nil }
    known = counters[Self.start] < 0 ? nil : Double(counters[Self.start]) / 1e9
    isEstimate = counters[Self.start + 1] == 1
    for place in stride(from: first, to: counters.count - Self.width + 1, by: Self.width) {
      units.append(
        Unit(
          tag: counters[place], form: Form(rawValue: counters[place + 1]) ?? .busy,
          count: counters[place + 2], time: counters[place + 3]))
    }
  }

  /// The utilization of a session, from its previous reading to this one: that of the busiest unit.
  static let rule = SpanRule(Graphics.Field.utilization.rawValue) { previous, current in
    // A reading without counters has its utilization, or the reason why not.
    guard let now = CardActivity(current.counters) else { return .kept }
    let elapsed = current.instant.boot - previous.instant.boot
    var busiest = now.known
    if elapsed > 0, let before = CardActivity(previous.counters) {
      for unit in now.units {
        guard let former = before.units.first(where: { $0.tag == unit.tag }),
          let share = unit.share(since: former, in: elapsed)
        else { continue }
        busiest = max(busiest ?? 0, share)
      }
    }
    guard let busiest else { return .known(.needsTwoReadings) }
    return now.isEstimate ? .outcome(.ok(.double(busiest), lowAccuracy: true)) : .number(busiest)
  }
}

extension CardActivity.Unit {
  /// The share of time it was at work; nil where its counter began anew.
  fileprivate func share(since former: Self, in elapsed: Int64) -> Double? {
    switch form {
    case .idle:
      guard let growth = growth(since: former, in: elapsed) else { return nil }
      return min(max(1 - Double(growth) * 1e6 / Double(elapsed), 0), 1)
    case .busy:
      let (growth, overflow) = count.subtractingReportingOverflow(former.count)
      let (span, isBeyond) = time.subtractingReportingOverflow(former.time)
      guard !overflow, !isBeyond, growth >= 0, span > 0 else { return nil }
      return min(Double(growth) / Double(span), 1)
    }
  }

  /// Milliseconds; the counter wraps after 2^32 of them.
  private func growth(since former: Self, in elapsed: Int64) -> Int64? {
    if count >= former.count { return count - former.count }
    let wrap: Int64 = 1 << 32
    guard former.count < wrap else { return nil }
    let growth = count + (wrap - former.count)
    // A counter that begins anew has not grown by more time than there was.
    return growth <= elapsed / 1_000_000 + 1000 ? growth : nil
  }
}
