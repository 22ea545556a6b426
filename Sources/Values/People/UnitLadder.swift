/// The units of one family, the largest first: a number is shown in the largest that suits it.
struct UnitLadder {
  /// A unit of the family.
  struct Rung {
    /// How many of the declared unit it is.
    let size: Double
    /// How people write it.
    let spelling: String
    /// The least number that is shown in it.
    var least = 1.0
  }

  private let rungs: [Rung]
  private let significant: Int
  /// The place of the unit that zero is shown in.
  private let home: Int

  private init(_ rungs: [Rung], home: Int, significant: Int = 3) {
    self.rungs = rungs
    self.home = home
    self.significant = significant
  }

  /// The text of a finite number of the declared unit, of which the hardware knows such steps.
  func text(of number: Double, step: Double?) -> String {
    // Units below the step would show digits that are none.
    let last = rungs.indices.last { $0 == home || rungs[$0].size >= step ?? 0 } ?? home
    for (place, rung) in rungs.enumerated() where place <= last {
      let digits = Digits(significant: significant).limited(toStep: step.map { $0 / rung.size })
      let rounded = (number / rung.size).rounded(digits)
      // What would be 1024 KiB after rounding is 1 MiB.
      if abs(rounded) >= rung.least || (place == last && rounded != 0) {
        return rounded.text(digits) + " " + rung.spelling
      }
    }
    return "0 " + rungs[home].spelling
  }

  /// The unit that suits a number, which has no sign.
  func rung(for number: Double) -> Rung {
    let found = rungs.first { number >= $0.size * $0.least }
    return found ?? (number == 0 || !number.isFinite ? rungs[home] : rungs[rungs.count - 1])
  }

  /// The family of a measure; nil if its unit has none.
  static func family(of measure: Measure) -> UnitLadder? {
    guard let unit = measure.unit else { return nil }
    return unit == "J" && measure.meaning != .count ? storedEnergy : families[unit]
  }

  /// What is in a battery, in watt-hours.
  private static let storedEnergy = UnitLadder(
    [
      Rung(size: 3.6e9, spelling: "MWh"), Rung(size: 3.6e6, spelling: "kWh"),
      Rung(size: 3600, spelling: "Wh"), Rung(size: 3.6, spelling: "mWh"),
    ], home: 2)

  /// Durations below a minute.
  static let seconds = UnitLadder(shortDurations, home: 0)

  /// Durations in one unit, each from two of it on.
  static let longDurations = UnitLadder(
    [
      Rung(size: 86_400, spelling: "d", least: 2), Rung(size: 3600, spelling: "h", least: 2),
      Rung(size: 60, spelling: "min", least: 2),
    ] + shortDurations, home: 3)

  private static let shortDurations = [
    Rung(size: 1, spelling: "s"), Rung(size: 1e-3, spelling: "ms"),
    Rung(size: 1e-6, spelling: "µs"), Rung(size: 1e-9, spelling: "ns"),
  ]

  /// Heights and accuracies stay metres far beyond a kilometre.
  private static let length = UnitLadder(
    [
      Rung(size: 1000, spelling: "km", least: 10), Rung(size: 1, spelling: "m"),
      Rung(size: 1e-2, spelling: "cm"), Rung(size: 1e-3, spelling: "mm"),
      Rung(size: 1e-6, spelling: "µm"), Rung(size: 1e-9, spelling: "nm"),
    ], home: 1, significant: 4)

  /// The weather's hectopascals; of 1013.2 the last digit is a floor of a house.
  private static let pressure = UnitLadder(
    [
      Rung(size: 1e6, spelling: "MPa"), Rung(size: 100, spelling: "hPa"),
      Rung(size: 1, spelling: "Pa"),
    ], home: 1, significant: 5)

  private static let families: [String: UnitLadder] = {
    var families = ["m": length, "Pa": pressure]
    for (code, spelling) in [("By", "B"), ("By/s", "B/s")] {
      families[code] = UnitLadder(binary.map { $0.of(spelling) }, home: binary.count - 1)
    }
    for code in ["bit", "bit/s"] {
      families[code] = UnitLadder(multiples.map { $0.of(code) }, home: multiples.count - 1)
    }
    for (code, spelling) in UnitLadder.metric {
      let rungs = multiples + fractions
      families[code] = UnitLadder(rungs.map { $0.of(spelling) }, home: multiples.count - 1)
    }
    return families
  }()

  private static let metric = [
    ("Hz", "Hz"), ("V", "V"), ("A", "A"), ("W", "W"), ("J", "J"), ("C", "C"), ("F", "F"),
    ("T", "T"), ("N", "N"), ("Ohm", "Ω"),
  ]

  private static let binary = [
    Rung(size: 0x1p60, spelling: "Ei"), Rung(size: 0x1p50, spelling: "Pi"),
    Rung(size: 0x1p40, spelling: "Ti"), Rung(size: 0x1p30, spelling: "Gi"),
    Rung(size: 0x1p20, spelling: "Mi"), Rung(size: 0x1p10, spelling: "Ki"),
    Rung(size: 1, spelling: ""),
  ]

  private static let multiples = [
    Rung(size: 1e12, spelling: "T"), Rung(size: 1e9, spelling: "G"), Rung(size: 1e6, spelling: "M"),
    Rung(size: 1e3, spelling: "k"), Rung(size: 1, spelling: ""),
  ]

  private static let fractions = [
    Rung(size: 1e-3, spelling: "m"), Rung(size: 1e-6, spelling: "µ"),
    Rung(size: 1e-9, spelling: "n"), Rung(size: 1e-12, spelling: "p"),
  ]
}

extension UnitLadder.Rung {
  /// The prefix this is, before a unit.
  fileprivate func of(_ unit: String) -> UnitLadder.Rung {
    UnitLadder.Rung(size: size, spelling: spelling + unit)
  }
}
