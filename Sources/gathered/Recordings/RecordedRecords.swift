import Gathering
import Recording
import Values

/// The selected rows of a recording one by one, or its intervals.
struct RecordedRecords {
  private let selection: RecordedSelection
  /// Either the rows or the intervals.
  private var rows: RecordedRowReader?
  private var intervals: RecordedIntervals?
  /// What is wanted of the series of the last row.
  private var wanted: (series: QueriedSeries, values: [RecordedValue])?

  /// At most so many rows behind the first ones; intervals of a length in nanoseconds, if one is
  /// given, instead of rows.
  init(
    _ selection: RecordedSelection, from offset: Int, limit: Int, every length: Int64?,
    of recording: RecordingParts
  ) throws(SourceError) {
    self.selection = selection
    var query = selection.query
    query.offset = offset
    query.limit = limit
    if let length {
      intervals = try recording.intervals(query, every: length)
    } else {
      rows = try recording.rows(query)
    }
  }

  /// The next one; nil behind the last.
  mutating func next() throws(SourceError) -> Record? {
    if let interval = try intervals?.next() {
      return Record(interval, selection.wanted(of: interval.series))
    }
    guard let row = try rows?.next() else { return nil }
    return Record(row, wanted(of: row.series))
  }

  private mutating func wanted(of series: QueriedSeries) -> [RecordedValue] {
    if let wanted, wanted.series === series { return wanted.values }
    let values = selection.wanted(of: series)
    wanted = (series, values)
    return values
  }
}

extension Record {
  /// The wanted values of a row.
  init(_ row: RecordedRow, _ wanted: [RecordedValue]) {
    let fields = wanted.map { value in
      var sample = row.sample(at: value.place)
      sample.value = value.part(of: sample.value)
      return Field(key: value.key, property: value.property, sample: sample)
    }
    self.init(id: row.series.name, time: row.time, fields: fields)
  }

  /// The summaries of the selected values of an interval.
  init(_ interval: RecordedInterval, _ wanted: [RecordedValue]) {
    let count = Sample(.int(Int64(interval.rowCount)))
    var fields = [Field(key: "rows", property: Property("rows", .int, .onChange), sample: count)]
    for value in wanted {
      let field = { (suffix: String, own: Value) in
        let status: ValueStatus = own == .none ? .noData : .ok
        let sample = Sample(value.part(of: own), status: status)
        return Field(key: value.key + suffix, property: value.property, sample: sample)
      }
      if let numbers = interval.numbers(at: value.place) {
        fields.append(field(".min", numbers.minimum))
        fields.append(field(".max", numbers.maximum))
        fields.append(field(".mean", numbers.mean))
      } else {
        fields.append(field("", interval.last(at: value.place)))
      }
    }
    self.init(id: interval.series.name, time: interval.time, fields: fields)
  }
}
