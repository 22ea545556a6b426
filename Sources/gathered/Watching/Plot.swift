import Gathering
import Values

/// One number over time, drawn in dots: two in a column of the terminal, four in a row.
struct Plot {
  /// The title of the plot.
  let title: String
  /// Its unit, as a UCUM code.
  let unit: String?
  /// From the least to the greatest in each interval; nil where there was nothing.
  let values: [ClosedRange<Double>?]
  /// When the first interval begins, in nanoseconds since 1970.
  let from: Int64
  /// How long each is, in nanoseconds.
  let every: Int64

  /// The columns of the scale on the left.
  static let margin = 14
  private static let rows = 8

  /// The lines: a title, the curve with its scale, and from when to when it is.
  func lines(on terminal: Terminal) -> [String] {
    let known = values.compactMap(\.self)
    guard let least = known.map(\.lowerBound).min(), let most = known.map(\.upperBound).max() else {
      return []
    }
    let cells = cells(from: least, to: most)
    let scale = [0: most, Self.rows / 2: least / 2 + most / 2, Self.rows - 1: least]
    let curve = cells.enumerated().map { row, line in
      let isLabelled = least < most ? scale[row] != nil : row == Self.rows / 2
      let label = isLabelled ? Value.double(scale[row] ?? least).plotText : ""
      return label.padded(to: Self.margin - 2, onLeft: true) + " |" + line
    }
    let (length, _) = every.multipliedReportingOverflow(by: Int64(values.count))
    let times = [from, from &+ length].map { Value.time(shortened($0, over: length)).formatted() }
    let room = max((values.count + 1) / 2 - times[0].count - times[1].count, 1)
    let axis = times[0] + String(repeating: " ", count: room) + times[1]
    let unit = unit.map { $0 == "1" ? "" : "  " + $0 } ?? ""
    return [terminal.styled(title.printable + unit, .heading)] + curve
      + [terminal.styled(String(repeating: " ", count: Self.margin) + axis, .dimmed)]
  }

  /// A moment without the digits that are insignificant for this length of time.
  private func shortened(_ moment: Int64, over length: Int64) -> Int64 {
    var digits: Int64 = 1
    while digits < 1_000_000_000, digits * 100 <= length { digits *= 10 }
    return moment / digits * digits
  }

  /// The dots of all rows, in the patterns of Braille (U+2800 and those that follow).
  private func cells(from least: Double, to most: Double) -> [String] {
    let height = Self.rows * 4
    var patterns = [[UInt32]](
      repeating: [UInt32](repeating: 0, count: (values.count + 1) / 2), count: Self.rows)
    for (column, value) in values.enumerated() {
      guard let value else { continue }
      let ends = [value.upperBound, value.lowerBound].map { number -> Int in
        // Halved first, so that no difference of numbers overflows.
        let part = least < most ? (most / 2 - number / 2) / (most / 2 - least / 2) : 0.5
        return min(height - 1, Int(part * Double(height)))
      }
      for dot in ends[0]...max(ends[0], ends[1]) {
        patterns[dot / 4][column / 2] |= Self.dots[column % 2][dot % 4]
      }
    }
    return patterns.map { row in
      String(String.UnicodeScalarView(row.compactMap { Unicode.Scalar(0x2800 + $0) }))
    }
  }

  /// The bits of the dots in the left and in the right half, from above.
  private static let dots: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
}

extension Value {
  /// A number of few digits, for a scale.
  fileprivate var plotText: String {
    guard let number else { return "" }
    let magnitude = number.magnitude
    if magnitude >= 1e15 || (magnitude < 1e-5 && magnitude > 0) {
      return formatted().cut(to: Plot.margin - 2)
    }
    var scale = 1.0
    while magnitude * scale < 10_000, scale < 1e9, magnitude > 0 { scale *= 10 }
    let rounded = (number * scale).rounded() / scale
    return Value.double(rounded).formatted().cut(to: Plot.margin - 2)
  }
}
