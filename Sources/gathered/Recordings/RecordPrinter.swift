import Gathering
import Recording
import Values

/// Prints many records, a line each, in pieces of some size.
struct RecordPrinter {
  private let isJSON: Bool
  private let terminal = Terminal.current
  private var text = ""

  init(isJSON: Bool) { self.isJSON = isJSON }

  mutating func print(_ record: Record) throws {
    text += try (isJSON ? record.json() : record.text(on: terminal)) + "\n"
    if text.utf8.count > 1 << 16 { try finish() }
  }

  /// Prints the remaining rows.
  mutating func finish() throws {
    try StandardOutput.write(text)
    text = ""
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
