import ArgumentParser

/// A span of time on the command line: numbers with units, such as `100ms` or `1h30m`; a number
/// alone counts seconds.
package struct Seconds: ExpressibleByArgument {
  package let nanoseconds: Int64

  /// The units, as they are typed, and their nanoseconds.
  private static let units = [
    "ns": 1.0, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "min": 60e9, "h": 3600e9,
    "d": 86_400e9,
  ]
  /// The longest span: it fits 64 bits of nanoseconds.
  private static let limit = 9e18

  /// A span that is finite and not negative.
  package init?(argument: String) {
    guard let span = Self.span(argument), span.isFinite, (0..<Self.limit).contains(span) else {
      return nil
    }
    nanoseconds = Int64(span.rounded())
  }

  /// A span of whole nanoseconds.
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The default as printed in the help.
  package var defaultValueDescription: String {
    nanoseconds % 1_000_000_000 == 0
      ? "\(nanoseconds / 1_000_000_000)s" : "\(nanoseconds / 1_000_000)ms"
  }

  /// The nanoseconds of a text; nil if it is none.
  private static func span(_ text: String) -> Double? {
    if let seconds = Double(text) { return seconds * 1e9 }
    var sum = 0.0
    var rest = text[...]
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let unit = rest.dropFirst(number.count).prefix { $0.isLetter }
      guard let count = Double(number), let length = units[String(unit)] else { return nil }
      sum += count * length
      rest = rest.dropFirst(number.count + unit.count)
    }
    return text.isEmpty ? nil : sum
  }
}
