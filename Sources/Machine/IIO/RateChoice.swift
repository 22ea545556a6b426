/// The rates in a device's `sampling_frequency_available`.
enum RateChoice: Equatable {
  /// Each rate as it is written.
  case list([String])
  /// Every step between two bounds.
  case range(minimum: Double, step: Double, maximum: Double)
  /// The device lists no rates: any may be tried.
  case any

  /// Parses `1 2.5 100` or `[1 0.5 100]`; malformed text counts as no list.
  init(_ text: String) {
    let brackets: Set<Character> = ["[", "]"]
    let words = text.split { $0.isBlank || brackets.contains($0) }.map(String.init)
    let numbers = words.compactMap(Double.init).filter { $0.isFinite && $0 >= 0 }
    if text.contains("["), numbers.count == 3, numbers[1] > 0, numbers[0] <= numbers[2] {
      self = .range(minimum: numbers[0], step: numbers[1], maximum: numbers[2])
    } else if numbers.count == words.count, !words.isEmpty, !text.contains("[") {
      self = .list(words)
    } else {
      self = .any
    }
  }

  /// Whether there is more than one rate.
  var hasSeveral: Bool {
    switch self {
    case .any: true
    case .list(let words): Set(words.compactMap(Double.init).filter { $0 > 0 }).count > 1
    case .range(let minimum, _, let maximum): minimum < maximum
    }
  }

  /// The smallest rate not below the requested one, else the largest, as text to be written.
  func text(forHertz hertz: Double) -> String? {
    guard hertz.isFinite, hertz > 0 else { return nil }
    // Intervals are whole nanoseconds: a rate that differs by less is the requested one.
    let asked = hertz * (1 - 1e-6)
    switch self {
    case .any: return Self.written(hertz)
    case .list(let words):
      let rates = words.compactMap { word in Double(word).map { (word, $0) } }.filter { $0.1 > 0 }
      let fitting = rates.filter { $0.1 >= asked }.min { $0.1 < $1.1 }
      return (fitting ?? rates.max { $0.1 < $1.1 })?.0
    case .range(let minimum, let step, let maximum):
      let steps = ((asked - minimum) / step).rounded(.up)
      return Self.written(min(maximum, minimum + max(0, steps) * step))
    }
  }

  private static func written(_ hertz: Double) -> String? {
    guard hertz > 0, hertz < 1e12 else { return nil }
    let micro = Int64((hertz * 1e6).rounded())
    let fraction = String(micro % 1_000_000 + 1_000_000).dropFirst()
    return micro % 1_000_000 == 0 ? "\(micro / 1_000_000)" : "\(micro / 1_000_000).\(fraction)"
  }
}
