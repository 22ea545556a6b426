import Gathering
import Values

/// What the unit of a property is called in the names of metrics, and what its numbers are divided
/// by: Prometheus wants base units, and shares from 0 to 1 (serve W27).
struct MetricUnit: Equatable, Sendable {
  /// `bytes`; empty for a pure number.
  let name: String
  /// 1, unless the base unit is larger.
  let divisor: Double

  /// The unit of a property's numbers. One that the table lacks has no name; the help tells it.
  init(of property: Property) {
    let isShare =
      property.unit == "1" && property.type == .double
      && property.range.map { 0 <= $0.lowerBound && $0.upperBound <= 1 } == true
    let known = isShare ? ("ratio", 1) : Self.table[property.unit ?? "1"]
    (name, divisor) = known ?? ("", 1)
  }

  /// Whether a UCUM code has a name of its own, or needs none.
  static func knows(_ code: String) -> Bool { table[code] != nil }

  private static let table: [String: (name: String, divisor: Double)] = [
    "1": ("", 1), "%": ("ratio", 100), "[ppm]": ("ratio", 1e6),
    "By": ("bytes", 1), "By/s": ("bytes_per_second", 1), "bit/s": ("bytes_per_second", 8),
    "Cel": ("celsius", 1), "K": ("kelvins", 1), "s": ("seconds", 1), "Hz": ("hertz", 1),
    "V": ("volts", 1), "A": ("amperes", 1), "W": ("watts", 1), "J": ("joules", 1),
    "V.A": ("voltamperes", 1),
    "m": ("meters", 1), "m/s": ("meters_per_second", 1), "m/s2": ("meters_per_second_squared", 1),
    "Pa": ("pascals", 1), "lx": ("lux", 1), "uT": ("teslas", 1e6),
    "rad": ("radians", 1), "rad/s": ("radians_per_second", 1), "deg": ("degrees", 1),
    "dB{mW}": ("dbm", 1), "dB": ("decibels", 1), "dB{FS}": ("dbfs", 1), "{px}": ("pixels", 1),
    "{r}/min": ("rpm", 1),
  ]
}
