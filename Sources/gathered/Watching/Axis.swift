import Values

/// Round numbers along an axis.
struct Axis {
  /// From the first to the last round number: all values lie between them.
  let ends: ClosedRange<Double>
  /// The round numbers, from the least.
  let marks: [Double]
  /// How many digits behind the point they have.
  private let places: Int

  /// An axis for numbers, with about so many round ones.
  init(_ range: ClosedRange<Double>, marks count: Int) {
    let size = max(range.lowerBound.magnitude, range.upperBound.magnitude)
    let half = range.upperBound / 2 - range.lowerBound / 2
    // Numbers that are all alike, or nearly, stand in the middle.
    let isFlat = half <= size * 1e-9
    let step = Self.step(isFlat ? size > 0 ? size / 5 : 1 : half / Double(max(count - 1, 1)) * 2)
    let (low, high) = (range.lowerBound / step, range.upperBound / step)
    let first = isFlat ? low.rounded() - 1 : low.rounded(.down)
    let last = isFlat ? first + 2 : max(high.rounded(.up), first + 1)
    marks = stride(from: first, through: last, by: 1).map { $0 * step }
    ends = first * step...last * step
    var places = 0
    var scaled = step
    while scaled < 0.999, places < 12 {
      scaled *= 10
      places += 1
    }
    self.places = places
  }

  /// The least of 1, 2, 5, 10, 20 … that is not below a number.
  private static func step(_ number: Double) -> Double {
    var power = 1.0
    while power * 10 <= number, power < 1e300 { power *= 10 }
    while power > number, power > 1e-300 { power /= 10 }
    return power * ([1, 2, 5].first { power * $0 >= number } ?? 10)
  }

  /// A round number as a person writes it.
  func text(_ mark: Double, within columns: Int) -> String {
    let size = max(ends.lowerBound.magnitude, ends.upperBound.magnitude)
    guard size < 1e12, places < 12 else { return Value.double(mark).formatted().cut(to: columns) }
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    let digits = Int64((mark.magnitude * scale).rounded(.toNearestOrAwayFromZero))
    let (whole, part) = digits.quotientAndRemainder(dividingBy: Int64(scale))
    let sign = mark < 0 && digits > 0 ? "-" : ""
    let behind = String(part)
    let zeros = String(repeating: "0", count: max(places - behind.count, 0))
    return (sign + "\(whole)" + (places > 0 ? ".\(zeros)\(behind)" : "")).cut(to: columns)
  }
}

/// Round moments along an axis.
struct TimeAxis {
  /// The moments, in nanoseconds since 1970.
  let marks: [Int64]
  private let step: Int64

  private static let second: Int64 = 1_000_000_000
  private static let steps: [Int64] =
    [1, 2, 5, 10, 20, 50, 100, 200, 500].flatMap { [$0, $0 * 1000, $0 * 1_000_000] }.sorted()
    + [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200]
    .map { $0 * second }
    + [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000]
    .map { $0 * 86_400 * second }

  /// An axis from a moment on, of some length, with at most so many marks.
  init(from: Int64, length: Int64, marks count: Int) {
    let least = length / Int64(max(count, 1))
    let step = Self.steps.first { $0 >= least } ?? Self.steps[Self.steps.count - 1]
    self.step = step
    let rest = (from % step + step) % step
    var moment = rest == 0 ? from : from &+ (step - rest)
    var marks: [Int64] = []
    while moment >= from, moment &- from < length {
      marks.append(moment)
      moment = moment &+ step
    }
    self.marks = marks
  }

  /// The columns of a mark's text.
  var width: Int { text(0).count }

  /// The part of a moment that tells the marks apart.
  func text(_ moment: Int64) -> String {
    // 1970-01-01T00:00:00.000000000Z
    let parts = Value.time(moment).formatted().split(separator: "T")
    guard parts.count == 2 else { return "" }
    if step >= 86_400 * Self.second { return String(parts[0]) }
    let clock = parts[1].prefix { $0 != "." && $0 != "Z" }
    if step >= 60 * Self.second { return String(clock.prefix(5)) }
    if step >= Self.second { return String(clock) }
    let digits = step >= 1_000_000 ? 3 : step >= 1000 ? 6 : 9
    let all = String((moment % Self.second + Self.second) % Self.second)
    let fraction = String(repeating: "0", count: max(9 - all.count, 0)) + all
    return clock.suffix(5) + "." + fraction.prefix(digits)
  }
}
