/// Sees to it that times never fall (sources V12): scans older than their predecessor are dropped.
struct ScanOrder: Sendable {
  /// Scans that follow each other, and whether some were lost before them.
  struct Run: Equatable, Sendable {
    var rows: Range<Int>
    var hasGap: Bool
  }

  private var latest = Int64.min
  private var hasLost = false

  /// Remembers that scans were lost before the next.
  mutating func lose() {
    hasLost = true
  }

  /// The runs of scans that may be delivered, in order.
  mutating func runs(of times: [Int64]) -> [Run] {
    var runs: [Run] = []
    for (row, time) in times.enumerated() {
      guard time >= latest else {
        hasLost = true
        continue
      }
      latest = time
      if !hasLost, let last = runs.indices.last, runs[last].rows.upperBound == row {
        runs[last].rows = runs[last].rows.lowerBound..<row + 1
      } else {
        runs.append(Run(rows: row..<row + 1, hasGap: hasLost))
        hasLost = false
      }
    }
    return runs
  }
}

extension ScanBlock {
  /// The rows of one run of a larger block.
  func cut(to run: ScanOrder.Run) -> ScanBlock {
    var block = self
    block.hasGap = run.hasGap
    if run.rows == times.indices { return block }
    block.times = Array(times[run.rows])
    block.columns = columns.map { column in
      let width = column.count / max(times.count, 1)
      return Array(column[run.rows.lowerBound * width..<run.rows.upperBound * width])
    }
    return block
  }
}
