import Gathering
import Ground
import Values

/// Makes joules that never fall of a counter that wraps and starts anew, and what sessions need for
/// the power between two of their readings (catalogue G5).
struct EnergyMeter {
  /// What gives the right to read the counters of processors.
  static let remedy = "install gatheredkit-udev and add yourself to group gathered"

  /// How long a counter may be left alone without missing that it wrapped, at 2 kW, in nanoseconds.
  static func longestGap(ofRange microjoules: Int64) -> Int64 { max(microjoules / 2, 1_000_000) }

  private let range: Int64?
  private let mayStandStill: Bool
  /// The properties of its kind that it sets.
  private let energy: Int
  private let power: Int
  /// What gives the right to read the counter; nil where its file says so.
  private let remedy: String?
  /// The sum in µJ since the counter's first number, which it begins with.
  private var total: Int64 = 0
  private var last: Int64?
  /// How often the counter began anew.
  private var restarts: Int64 = 0
  /// When the counter last changed.
  private var changed: Int64 = 0
  /// How long the machine had slept at the last reading.
  private var asleep: Int64 = 0

  /// A meter for two properties of a kind: joules, and the watts between two readings.
  init(
    range: Int64? = nil, mayStandStill: Bool = false, energy: some RawRepresentable<Int>,
    power: some RawRepresentable<Int>, remedy: String? = EnergyMeter.remedy
  ) {
    self.range = range
    self.mayStandStill = mayStandStill
    self.energy = energy.rawValue
    self.power = power.rawValue
    self.remedy = remedy
  }

  /// A counter of a package moves even while all rests.
  private static let patience: Int64 = 10_000_000_000
  private static let still = KeptOutcome(
    .noData("the counter stands still, as in virtual machines"))

  /// Sets energy and power by what a counter says.
  mutating func read(_ outcome: Outcome, asleep: Int64, into reading: inout Reading) {
    guard let raw = outcome.integer else {
      reading.counters = []
      var absence = outcome
      if outcome.status == .permission, let remedy {
        absence = .permission(
          outcome.absence?.reason ?? "", errno: outcome.absence?.errno ?? 0, remedy: remedy)
      }
      reading.set(energy, to: absence)
      return reading.set(power, to: absence)
    }
    let isGap = take(raw, asleep: asleep, at: reading.instant.boot)
    if mayStandStill, reading.instant.boot - changed >= Self.patience {
      reading.counters = []
      reading.set(energy, to: Self.still)
      return reading.set(power, to: Self.still)
    }
    PowerSpan.put(PowerSpan(restarts: restarts, microjoules: total), .own, in: &reading.counters)
    reading.set(power, to: KeptOutcome.needsTwoReadings)
    let joules = Double(total) / 1e6
    guard isGap else { return reading.set(energy, to: joules) }
    var sum = Outcome.ok(.double(joules))
    sum.marks = .gap
    reading[energy] = sum
  }

  /// Adds what the counter grew by, and tells whether the machine slept since the last number:
  /// nothing is known of that time, and the counter may begin anew after it.
  private mutating func take(_ raw: Int64, asleep: Int64, at now: Int64) -> Bool {
    defer { (last, self.asleep) = (raw, asleep) }
    guard let last else {
      (total, changed) = (raw, now)
      return false
    }
    if raw != last { changed = now }
    // Two clocks are never read at one instant.
    if asleep - self.asleep > 100_000_000 {
      (changed, restarts) = (now, restarts + 1)
      return true
    }
    guard let growth = growth(from: last, to: raw) else {
      restarts += 1
      return false
    }
    let (sum, overflow) = total.addingReportingOverflow(growth)
    if overflow { restarts += 1 } else { total = sum }
    return false
  }

  /// Nil where the counter began anew.
  private func growth(from last: Int64, to raw: Int64) -> Int64? {
    if raw >= last { return raw - last }
    guard let range, range >= last else { return nil }
    let (sum, overflow) = raw.addingReportingOverflow(range - last)
    return overflow ? nil : sum
  }
}
