import CommandOptions
import Gathering
import Recording
import Values

/// The numbers of a recording over time, one plot each.
struct RecordedPlots {
  private let selection: RecordedSelection
  private let recording: RecordingParts

  init(_ selection: RecordedSelection, of recording: RecordingParts) {
    self.selection = selection
    self.recording = recording
  }

  /// Draws a plot of each number that has any values. Throws a failure if none has.
  func draw(on terminal: Terminal) throws {
    let columns = max(terminal.size.columns, 40)
    guard let span = try span() else { throw CommandFailure("there are no rows in that time") }
    // Two points a column of the terminal; one less, as the first interval may begin before.
    let points = 2 * (columns - Plot.margin) - 1
    let length = max(1, (span.upperBound &- span.lowerBound) / Int64(points) + 1)
    var query = selection.query
    query.arrangement = .bySeries
    var intervals = try recording.intervals(query, every: length)
    var curves: [ExactText: Curve] = [:]
    var names: [String] = []
    while let interval = try intervals.next() {
      for curve in wanted(of: interval.series).flatMap({ Curve.all(interval, $0) }) {
        if curves[ExactText(curve.name)] == nil { names.append(curve.name) }
        curves[ExactText(curve.name), default: curve].points.merge(curve.points) { first, _ in first
        }
      }
    }
    guard !names.isEmpty else { throw CommandFailure("there are no numbers to draw") }
    let first = span.lowerBound - (span.lowerBound % length + length) % length
    for name in names {
      guard let curve = curves[ExactText(name)] else { continue }
      var values = [ClosedRange<Double>?](repeating: nil, count: points + 1)
      for (time, range) in curve.points {
        let place = Int((time - first) / length)
        if values.indices.contains(place) { values[place] = range }
      }
      let plot = Plot(
        title: name, measure: curve.measure, values: values, from: first, every: length)
      let lines = plot.lines(on: terminal) + [""]
      try StandardOutput.write(lines.map { $0 + "\n" }.joined())
    }
  }

  /// The values of a series to draw: of a whole source only those that change.
  private func wanted(of series: QueriedSeries) -> [RecordedValue] {
    let all = selection.wanted(of: series)
    if selection.isNarrow(of: series) { return all }
    let moving = all.filter { $0.property.mode == .continuous }
    return moving.isEmpty ? all : moving
  }

  /// The times from the first to the last selected row; nil without rows.
  private func span() throws -> ClosedRange<Int64>? {
    guard let all = recording.realtime else { return nil }
    guard let range = selection.query.range else { return all }
    let span = max(all.lowerBound, range.lowerBound)...
    let end = min(all.upperBound, range.upperBound - 1)
    return span.contains(end) ? span.lowerBound...end : nil
  }

  /// One number over time.
  private struct Curve {
    let name: String
    let measure: Measure
    /// From the least to the greatest in each interval, by its beginning.
    var points: [Int64: ClosedRange<Double>]

    /// Those of one value in one interval.
    static func all(_ interval: RecordedInterval, _ value: RecordedValue) -> [Curve] {
      guard let numbers = interval.numbers(at: value.place) else { return [] }
      let extremes = zip(value.numbers(in: numbers.minimum), value.numbers(in: numbers.maximum))
      return zip(value.names, extremes).compactMap { name, extremes in
        guard extremes.0.isFinite, extremes.1.isFinite else { return nil }
        return Curve(
          name: "\(interval.series.name)/\(name)", measure: value.property.measure,
          points: [interval.time: extremes.0...extremes.1])
      }
    }
  }
}
