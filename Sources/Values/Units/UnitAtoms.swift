/// A unit that is not composed of others in a code.
struct UnitAtom {
  /// The prefixes an atom takes.
  enum Prefixes {
    case none
    case metric
    case information
  }

  let unit: Unit
  let prefixes: Prefixes

  /// Whether it may not be multiplied, divided or raised (UCUM's special units).
  let isSpecial: Bool

  /// The atom of a code without prefix; nil for an unknown one.
  static func named(_ code: String) -> UnitAtom? { table[code] }

  /// The factor of a prefix, for atoms that take such prefixes; nil for an unknown one.
  static func prefix(_ code: String, for prefixes: Prefixes) -> Factor? {
    switch prefixes {
    case .none: nil
    case .metric: metricPrefixes[code].map { Factor(decimalExponent: $0) }
    case .information: informationPrefixes[code]
    }
  }

  private init(
    _ exponents: [String: Int], _ mantissa: Double = 1, _ decimalExponent: Int = 0,
    prefixes: Prefixes = .metric, offset: Double = 0, isSpecial: Bool = false
  ) {
    unit = Unit(
      factor: Factor(mantissa: mantissa, decimalExponent: decimalExponent), offset: offset,
      dimension: Dimension(exponents: exponents))
    self.prefixes = prefixes
    self.isSpecial = isSpecial
  }

  private static let metricPrefixes: [String: Int] = [
    "Y": 24, "Z": 21, "E": 18, "P": 15, "T": 12, "G": 9, "M": 6, "k": 3, "h": 2, "da": 1,
    "d": -1, "c": -2, "m": -3, "u": -6, "n": -9, "p": -12, "f": -15, "a": -18, "z": -21,
    "y": -24,
  ]

  private static let informationPrefixes: [String: Factor] = [
    "k": Factor(decimalExponent: 3), "M": Factor(decimalExponent: 6),
    "G": Factor(decimalExponent: 9), "T": Factor(decimalExponent: 12),
    "Ki": Factor(mantissa: 0x1p10), "Mi": Factor(mantissa: 0x1p20),
    "Gi": Factor(mantissa: 0x1p30), "Ti": Factor(mantissa: 0x1p40),
  ]

  /// In base units m, g, s, A, K, mol, cd, rad, bit, as UCUM has them.
  private static let table: [String: UnitAtom] = base.merging(derived) { first, _ in first }

  private static let base: [String: UnitAtom] = [
    "1": UnitAtom([:], prefixes: .none),
    "%": UnitAtom([:], 1, -2, prefixes: .none),
    "[ppm]": UnitAtom([:], 1, -6, prefixes: .none),
    "m": UnitAtom(["m": 1]),
    "g": UnitAtom(["g": 1]),
    "s": UnitAtom(["s": 1]),
    "A": UnitAtom(["A": 1]),
    "K": UnitAtom(["K": 1]),
    "mol": UnitAtom(["mol": 1]),
    "cd": UnitAtom(["cd": 1]),
    "rad": UnitAtom(["rad": 1]),
    "deg": UnitAtom(["rad": 1], .pi / 180, 0, prefixes: .none),
    // A turn, in `{r}/min`: UCUM has no atom for it.
    "{r}": UnitAtom(["rad": 1], 2 * .pi, 0, prefixes: .none),
    "bit": UnitAtom(["bit": 1], prefixes: .information),
    "By": UnitAtom(["bit": 1], 8, 0, prefixes: .information),
    "min": UnitAtom(["s": 1], 60, 0, prefixes: .none),
    "h": UnitAtom(["s": 1], 3600, 0, prefixes: .none),
    "d": UnitAtom(["s": 1], 86400, 0, prefixes: .none),
    "Cel": UnitAtom(["K": 1], offset: 245_835, isSpecial: true),
    "[degF]": UnitAtom(["K": 1], 5.0 / 9.0, 0, prefixes: .none, offset: 229_835, isSpecial: true),
  ]

  private static let derived: [String: UnitAtom] = [
    "Hz": UnitAtom(["s": -1]),
    "N": UnitAtom(["g": 1, "m": 1, "s": -2], 1, 3),
    "Pa": UnitAtom(["g": 1, "m": -1, "s": -2], 1, 3),
    "bar": UnitAtom(["g": 1, "m": -1, "s": -2], 1, 8),
    "J": UnitAtom(["g": 1, "m": 2, "s": -2], 1, 3),
    "W": UnitAtom(["g": 1, "m": 2, "s": -3], 1, 3),
    "C": UnitAtom(["A": 1, "s": 1]),
    "V": UnitAtom(["g": 1, "m": 2, "s": -3, "A": -1], 1, 3),
    "F": UnitAtom(["g": -1, "m": -2, "s": 4, "A": 2], 1, -3),
    "Ohm": UnitAtom(["g": 1, "m": 2, "s": -3, "A": -2], 1, 3),
    "T": UnitAtom(["g": 1, "s": -2, "A": -1], 1, 3),
    "G": UnitAtom(["g": 1, "s": -2, "A": -1], 1, -1),
    "[g]": UnitAtom(["m": 1, "s": -2], 9.80665, 0),
    "lm": UnitAtom(["cd": 1, "rad": 2]),
    "lx": UnitAtom(["cd": 1, "rad": 2, "m": -2]),
  ]
}
