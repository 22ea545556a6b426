import Gathering
import Values

/// One reading of one source on its way into a pipe.
struct Record {
  let id: String
  /// On CLOCK_REALTIME, in nanoseconds since 1970.
  let time: Int64
  let fields: [Field]

  /// Some fields, as they were at a time on CLOCK_REALTIME.
  init(id: String, time: Int64, fields: [Field]) {
    self.id = id
    self.time = time
    self.fields = fields
  }

  /// The selected fields of a reading.
  init(_ selection: Selection, _ samples: [Sample], time: Int64) {
    id = selection.source.id.description
    fields = selection.fields(of: samples)
    self.time = time
  }

  /// `{id, time_ns, values: {key: {value, unit, status, reason?, remedy?}}}`.
  var dictionary: ValueDictionary {
    var values = ValueDictionary()
    for field in fields { values[field.key] = .dictionary(field.dictionary) }
    return ["id": .string(id), "time_ns": .int(time), "values": .dictionary(values)]
  }

  /// The same on one line.
  func json() throws -> String { try Value.dictionary(dictionary).json() }

  /// One line: for people on a terminal, `line` elsewhere.
  func text(on terminal: Terminal) -> String {
    guard terminal.isInteractive else { return line }
    let values = fields.map { field in
      "\(field.key) \(field.property.format(field.hasPayload ? field.sample.value : .none))"
    }
    return ([Value.time(time).formatted(), id] + values).joined(separator: "  ")
  }

  /// `time id key=value …` on one line: numbers with their unit right behind, texts quoted where
  /// they need it, `!STATUS` where there is no value.
  var line: String {
    let values = fields.map { "\($0.key)=\($0.word)" }
    return ([Value.time(time).formatted(), id] + values).joined(separator: " ")
  }
}

extension Field {
  /// `{value, unit, status, reason?, remedy?}`.
  var dictionary: ValueDictionary {
    var row: ValueDictionary = [
      "value": hasPayload ? sample.value : .none,
      "unit": property.unit.map(Value.string) ?? .none,
    ]
    row.addStatus(of: sample)
    return row
  }

  fileprivate var word: String { sample.word(unit: property.unit) }
}

extension String {
  /// The text as one word, quoted as JSON does where it has to be.
  var quotedIfNeeded: String {
    let isWord =
      !isEmpty && !hasPrefix("!") && printable == self
      && !contains { $0.isWhitespace || $0 == "\"" || $0 == "=" }
    return isWord ? self : (try? Value.string(self).json()) ?? printable
  }
}
