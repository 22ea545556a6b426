package import Gathering
package import Ground

/// The content of one block: rows of one series, or an event of it.
package final class RecorderRun {
  /// Some rows of a series: a reading, or rows of a slice.
  package enum Piece: Sendable {
    case reading([Sample])
    case rows(RowSlice, Range<Int>)
  }

  package let series: Int
  /// How many rows were lost before it.
  package var lost: Int64 = 0
  package var pieces: [Piece] = []
  package var event: (SourceEvent.What, Instant)?
  /// How many samples a row has; nil without rows.
  package var width: Int?
  package var rows = 0
  package var weight = 0

  /// No rows of a series.
  package init(series: Int) { self.series = series }

  init(
    series: Int, lost: Int64, pieces: [Piece] = [], event: (SourceEvent.What, Instant)? = nil,
    width: Int? = nil, rows: Int = 0, weight: Int = 0
  ) {
    (self.series, self.lost, self.pieces, self.event) = (series, lost, pieces, event)
    (self.width, self.rows, self.weight) = (width, rows, weight)
  }
}

extension RecorderQueue.Batch {
  /// The items taken, in runs of at most one block each; those of one series in the order they
  /// arrived.
  package func runs(upTo options: RecorderOptions) -> [RecorderRun] {
    var done: [RecorderRun] = []
    var open: [Int: RecorderRun] = [:]
    for item in items {
      switch item.content {
      case .event(let event, let instant):
        if let run = open.removeValue(forKey: item.series) { done.append(run) }
        done.append(
          RecorderRun(series: item.series, lost: item.lost, event: (event, instant)))
      case .reading(let samples):
        let weight = samples.reduce(samples.count * 16) { $0 + $1.value.weight }
        let part = RecorderRun(
          series: item.series, lost: item.lost, pieces: [.reading(samples)], width: samples.count,
          rows: 1, weight: weight)
        Self.add(part, to: &open, &done, options)
      case .rows(let slice):
        let most = max(1, min(options.blockRows, options.blockBytes / slice.rowWeight))
        for start in stride(from: 0, to: slice.rowCount, by: most) {
          let rows = start..<min(start + most, slice.rowCount)
          let part = RecorderRun(
            series: item.series, lost: start == 0 ? item.lost : 0, pieces: [.rows(slice, rows)],
            width: slice.propertyCount, rows: rows.count, weight: rows.count * slice.rowWeight)
          Self.add(part, to: &open, &done, options)
        }
      }
    }
    return done + open.values.sorted { $0.series < $1.series }
  }

  /// Adds some rows to the run of their series that is open, or begins another.
  private static func add(
    _ part: RecorderRun, to open: inout [Int: RecorderRun],
    _ done: inout [RecorderRun], _ options: RecorderOptions
  ) {
    guard let run = open[part.series] else {
      open[part.series] = part
      return
    }
    let isFull =
      run.rows + part.rows > options.blockRows || run.weight + part.weight > options.blockBytes
    if isFull || run.width != part.width || part.lost > 0 {
      done.append(run)
      open[part.series] = part
    } else {
      run.pieces += part.pieces
      run.rows += part.rows
      run.weight += part.weight
    }
  }
}

extension RowTable {
  /// Appends rows; the first one behind a loss, if the last row before that is given.
  mutating func append(_ piece: RecorderRun.Piece, behind lost: [PropertyColumn.Progress]?) {
    switch piece {
    case .reading(var samples):
      if let lost {
        for index in samples.indices { samples[index].markGap(after: lost.progress(index)) }
      }
      append(samples)
    case .rows(let slice, let rows): append(slice, rows: rows, behind: lost)
    }
  }
}
