import Gathering

/// Packs the rows of one series into blocks, one after the other.
package struct SeriesPacker: Sendable {
  /// What the series is.
  package var facts: RecordedSeries
  /// How the doubles of each property were packed last.
  private var scales: [Numbers.Scale?]
  /// How far its properties were in the last row, which newness is measured by after a loss.
  private var last: [PropertyColumn.Progress] = []

  /// A series of which nothing was packed so far.
  package init(_ facts: RecordedSeries) {
    self.facts = facts
    scales = facts.properties.map { property in
      property.resolution.flatMap { step in
        step > 0 && step.isFinite ? Numbers.Scale(step: step, divides: false) : nil
      }
    }
    if facts.properties.isEmpty { scales = [nil] }
  }

  /// The body of a block of some rows, and how many it has; nil of none. The first row is behind a
  /// loss if the run says so.
  package mutating func pack(_ run: RecorderRun) -> (body: [UInt8], rowCount: Int)? {
    var table = RowTable(properties: scales.count, expecting: run.rows)
    for (place, piece) in run.pieces.enumerated() {
      let hasGap = place == 0 && run.lost > 0
      table.append(piece, behind: hasGap ? last : nil)
    }
    guard table.rowCount > 0 else { return nil }
    last = table.columns.map(\.progress)
    return (table.body(ofSeries: facts.number, scales: &scales), table.rowCount)
  }
}
