import Gathering
import Values

/// One number over time: a line between two axes, drawn in dots, two in a column of the terminal
/// and four in a row.
struct Plot {
  /// The title of the plot.
  let title: String
  /// What its numbers are.
  let measure: Measure
  /// From the least to the greatest in each interval; nil where there was nothing.
  let values: [ClosedRange<Double>?]
  /// When the first interval begins, in nanoseconds since 1970.
  let from: Int64
  /// How long each is, in nanoseconds.
  let every: Int64

  /// The columns of the scale on the left.
  static let margin = 14
  private static let rows = 8

  /// The lines: a title, the curve with its scale, and the times below it.
  func lines(on terminal: Terminal) -> [String] {
    let known = values.compactMap(\.self)
    guard let least = known.map(\.lowerBound).min(), let most = known.map(\.upperBound).max() else {
      return []
    }
    let scale = measure.scale(upTo: max(least.magnitude, most.magnitude))
    let axis = Axis(least / scale.size...most / scale.size, marks: 4)
    let marks = Dictionary(
      axis.marks.map { (row(of: $0, on: axis) / 4, axis.text($0, within: Self.margin - 2)) }
    ) { first, _ in first }
    let glyphs = terminal.glyphs
    let curve = cells(on: axis, scale).enumerated().map { row, line in
      let label = (marks[row] ?? "").padded(to: Self.margin - 2, onLeft: true)
      return terminal.styled(label + " " + (marks[row] == nil ? glyphs.axis : glyphs.tick), .dimmed)
        + terminal.styled(line, .curve)
    }
    let unit = scale.unit.isEmpty ? "" : "  " + scale.unit
    return [terminal.styled(title.printable + unit, .heading)] + curve
      + times(glyphs).map { terminal.styled($0, .dimmed) }
  }

  /// The row of dots of a number, from above.
  private func row(of number: Double, on axis: Axis) -> Int {
    let (least, most) = (axis.ends.lowerBound, axis.ends.upperBound)
    // Halved first, so that no difference of numbers overflows.
    let share = (most / 2 - number / 2) / (most / 2 - least / 2)
    return min(max(Int((share * Double(Self.rows * 4 - 1)).rounded()), 0), Self.rows * 4 - 1)
  }

  // MARK: The times

  /// The axis below the curve, and the day and the round moments below that.
  private func times(_ glyphs: Glyphs) -> [String] {
    let columns = (values.count + 1) / 2
    let (length, overflow) = every.multipliedReportingOverflow(by: Int64(values.count))
    let axis = TimeAxis(from: from, length: overflow ? .max : length, marks: max(columns / 14, 1))
    var line = [String](repeating: glyphs.across, count: columns)
    let day = Value.time(from).formatted().prefix { $0 != "T" }
    var text = "  " + day
    for mark in axis.marks {
      let column = Int((mark - from) / every) / 2
      guard line.indices.contains(column) else { continue }
      line[column] = glyphs.below
      // Below its mark, as far as the curve reaches; no text stands over another.
      let middle = max(Self.margin + column - axis.width / 2, Self.margin)
      let start = min(middle, Self.margin + columns - axis.width)
      guard start > text.columnWidth else { continue }
      text = text.padded(to: start) + axis.text(mark)
    }
    let corner = String(repeating: " ", count: Self.margin - 1) + glyphs.corner
    return [corner + line.joined(), text]
  }

  // MARK: The curve

  /// The dots of all rows, in the patterns of Braille (U+2800 and those that follow).
  private func cells(on axis: Axis, _ scale: MeasureScale) -> [String] {
    var patterns = [[UInt32]](
      repeating: [UInt32](repeating: 0, count: (values.count + 1) / 2), count: Self.rows)
    for (column, rows) in dots(on: axis, scale).enumerated() {
      guard let rows else { continue }
      for dot in rows { patterns[dot / 4][column / 2] |= Self.dots[column % 2][dot % 4] }
    }
    return patterns.map { row in
      String(String.UnicodeScalarView(row.compactMap { Unicode.Scalar(0x2800 + $0) }))
    }
  }

  /// The rows of dots in each column: those of its values, and of the line from the one before.
  private func dots(on axis: Axis, _ scale: MeasureScale) -> [ClosedRange<Int>?] {
    var dots = values.map { value in
      value.map { value in
        let above = row(of: value.upperBound / scale.size, on: axis)
        return above...max(above, row(of: value.lowerBound / scale.size, on: axis))
      }
    }
    let places = dots.indices.filter { dots[$0] != nil }
    let longest = longestGap(between: places)
    for (place, next) in zip(places, places.dropFirst()) where next - place <= longest {
      guard let start = dots[place], let end = dots[next] else { continue }
      let middle = { (range: ClosedRange<Int>) in (range.lowerBound + range.upperBound) / 2 }
      var before = middle(start)
      for column in place + 1..<max(next, place + 1) {
        let part = Double(column - place) / Double(next - place)
        let row = middle(start) + Int((Double(middle(end) - middle(start)) * part).rounded())
        dots[column] = Self.joined(row...row, to: before...before)
        before = row
      }
      dots[next] = Self.joined(end, to: next == place + 1 ? start : before...before)
    }
    return dots
  }

  /// Some rows, and those up to the neighbours of others.
  private static func joined(
    _ rows: ClosedRange<Int>, to others: ClosedRange<Int>
  ) -> ClosedRange<Int> {
    min(
      rows.lowerBound, max(others.upperBound + 1, 0))...max(
        rows.upperBound, others.lowerBound - 1)
  }

  /// How many columns values may be apart and still be joined: where more are missing, nothing was
  /// measured.
  private func longestGap(between places: [Int]) -> Int {
    let gaps = zip(places.dropFirst(), places).map { $0 - $1 }.sorted()
    return gaps.isEmpty ? 1 : max(gaps[gaps.count / 2] * 3, 2)
  }

  /// The bits of the dots in the left and in the right half, from above.
  private static let dots: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
}
