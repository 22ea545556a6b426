import Gathering
import Ground
import Values

/// Writes rows and events as text, line by line.
struct RowText: Sendable {
  private let format: TextFormat

  init(_ format: TextFormat) { self.format = format }

  /// What comes before the first row.
  func header(for series: TextSeries) -> [UInt8] {
    switch format {
    case .jsonLines: []
    case .csv(.long): CSVLine(["time", "source", "property", "value", "status"]).bytes
    case .csv(.wide): CSVLine(["time"] + series.columns(for: []).flatMap(\.cellNames)).bytes
    }
  }

  /// One row: a sample a column.
  func append(
    _ row: [Sample], time: Int64, of series: TextSeries, to text: inout [UInt8]
  ) {
    switch format {
    case .jsonLines: text += Array(series.record(of: row, time: time).jsonText.utf8) + [0x0A]
    case .csv(.wide):
      var line = CSVLine([Value.time(time).formatted()])
      for (column, sample) in zip(series.columns(for: row), row) {
        for cell in column.cells(of: sample) { line.add(cell) }
      }
      text += line.bytes
    case .csv(.long):
      let start = [Value.time(time).formatted(), series.name]
      for (column, sample) in zip(series.columns(for: row), row) {
        for (name, cell) in zip(column.cellNames, column.cells(of: sample)) {
          var line = CSVLine(start + [name])
          line.add(cell)
          line.add(sample.status.word)
          text += line.bytes
        }
      }
    }
  }

  /// What happened to a series, or to all; nothing in a format that has no place for it.
  func append(_ event: RecordedEvent, of series: TextSeries?, to text: inout [UInt8]) {
    guard format == .jsonLines else { return }
    var record: ValueDictionary = [
      "id": series.map { .string($0.name) } ?? Value.none, "time_ns": .int(event.instant.realtime),
      "event": .string(event.what.rawValue),
    ]
    if event.rows > 0 { record["rows"] = .int(event.rows) }
    let availability = event.what == .availabilityChanged ? event.availability : nil
    if let availability { record["availability"] = .string(availability.state.rawValue) }
    let reason = availability?.detail ?? event.message
    if !reason.isEmpty { record["reason"] = .string(reason) }
    if let remedy = availability?.remedy, !remedy.isEmpty { record["remedy"] = .string(remedy) }
    text += Array(Value.dictionary(record).jsonText.utf8) + [0x0A]
  }
}

/// What the text of a series needs to know of it.
struct TextSeries: Sendable {
  /// The id of a source, or the name of a stream.
  let name: String
  /// Its columns; nil for a stream that is live, whose values tell.
  private var known: [RecordedColumn]?

  init(_ table: RecordedTable) {
    name = table.name
    known = table.columns
  }

  init(_ series: RecordedSeries) {
    name = series.name
    if case .stream = series.origin {
      known = nil
    } else {
      known = series.properties.map { RecordedColumn($0) }
    }
  }

  /// The same, with the columns of a row for ever.
  func settled(by row: [Sample]) -> TextSeries {
    var settled = self
    settled.known = columns(for: row)
    return settled
  }

  /// A row of another table of the same source, as a row of this one.
  func arranged(_ row: [Sample], of other: TextSeries) -> [Sample] {
    guard let known, let others = other.known, known != others else { return row }
    return known.map { column in
      let place = others.firstIndex { $0.name == column.name }
      return place.flatMap { $0 < row.count ? row[$0] : nil } ?? .notRecorded
    }
  }

  /// The columns of a row.
  func columns(for row: [Sample]) -> [RecordedColumn] {
    if let known { return known }
    let names = row.first?.value.vector.map { Vector.names($0.count) }
    let type = names.map { PropertyType.vector(components: $0) } ?? .string
    return [RecordedColumn(Property("value", type, .continuous))]
  }

  fileprivate func record(of row: [Sample], time: Int64) -> Value {
    var values = ValueDictionary()
    for (column, sample) in zip(columns(for: row), row) {
      var field: ValueDictionary = [
        "value": sample.status.hasPayload ? sample.value : .none,
        "unit": column.property.unit.map(Value.string) ?? .none,
        "status": .string(sample.status.word),
      ]
      if let absence = sample.absence, sample.status != .ok {
        field["reason"] = .string(absence.reason)
        if !absence.remedy.isEmpty { field["remedy"] = .string(absence.remedy) }
      }
      values[column.property.key] = .dictionary(field)
    }
    return .dictionary([
      "id": .string(name), "time_ns": .int(time), "values": .dictionary(values),
    ])
  }
}

extension RecordedColumn {
  /// The names of its cells: one, or one a component.
  fileprivate var cellNames: [String] {
    guard case .vector(let components) = property.type else { return [name] }
    return components.map { "\(name).\($0)" }
  }

  /// The texts of its cells; nil where there is nothing.
  fileprivate func cells(of sample: Sample) -> [String?] {
    let value: Value = sample.status.hasPayload ? sample.value : .none
    guard case .vector(let components) = property.type else { return [value.cell] }
    if let numbers = value.vector?.components, numbers.count == components.count {
      return numbers.map { Value.double($0).cell }
    }
    return [value.cell] + components.dropFirst().map { _ in nil }
  }
}

extension Value {
  /// The text of a cell: exact, without unit; nil for no value.
  fileprivate var cell: String? {
    switch self {
    case .none: nil
    case .string(let text): text
    case .dictionary, .list: jsonText
    default: formatted()
    }
  }
}

/// One line of comma-separated values.
private struct CSVLine {
  private var cells: [UInt8] = []
  private var count = 0

  init(_ texts: [String]) { for text in texts { add(text) } }

  /// The line with its end.
  var bytes: [UInt8] { cells + [0x0D, 0x0A] }

  /// Adds a cell; nil for an empty one, which an empty text is not.
  mutating func add(_ text: String?) {
    if count > 0 { cells.append(UInt8(ascii: ",")) }
    count += 1
    guard let text else { return }
    let quote = UInt8(ascii: "\"")
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { ![quote, UInt8(ascii: ","), 0x0A, 0x0D].contains($0) }
    if isPlain {
      cells += text.utf8
      return
    }
    cells.append(quote)
    for byte in text.utf8 { cells += byte == quote ? [quote, quote] : [byte] }
    cells.append(quote)
  }
}
