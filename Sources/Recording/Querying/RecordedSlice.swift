public import Gathering
public import Values

/// Successive rows of one series, as they lie in a block.
public struct RecordedSlice: Sendable {
  /// The series, with the properties that are wanted.
  public let series: QueriedSeries
  /// The block they lie in.
  public let rows: RecordedRows
  /// Which of its rows they are; at least one.
  public internal(set) var range: Range<Int>
  /// When each row of the block was so, on CLOCK_REALTIME.
  public let times: [Int64]

  /// The rows, one by one.
  public subscript(place: Int) -> RecordedRow {
    RecordedRow(
      series: series, rows: rows, row: range.lowerBound + place,
      time: times[range.lowerBound + place])
  }

  /// How many rows there are.
  public var count: Int { range.count }
}

/// One row of a recording.
public struct RecordedRow: Sendable {
  /// The series, with the properties that are wanted.
  public let series: QueriedSeries
  /// The block it lies in.
  public let rows: RecordedRows
  /// Its place there.
  public let row: Int
  /// When it was so, on CLOCK_REALTIME.
  public let time: Int64

  /// A sample, by the place of its property among the selected ones.
  public func sample(at place: Int) -> Sample {
    rows.sample(row: row, property: series.columns[place])
  }

  /// The row as a dictionary: `source`, `time`, then each property under its key.
  ///
  /// A missing value is null. A value that is not ok has an additional member after all others:
  /// `KEY.status` is `noData`, `stale`, `permission`, `unsupported` or `error`.
  public var dictionary: ValueDictionary {
    var members: ValueDictionary = ["source": .string(series.name), "time": .time(time)]
    var notes: [(String, Value)] = []
    for place in series.columns.indices {
      let sample = sample(at: place)
      members[series.members[place]] = sample.value
      if sample.status != .ok {
        notes.append(("\(series.members[place]).status", .string(sample.status.word)))
      }
    }
    for (name, status) in notes { members[name] = status }
    return members
  }
}
