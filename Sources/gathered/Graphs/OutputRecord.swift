import Gathering
import Values

/// A value of one of a graph's offered outputs, to be printed in a pipe.
struct OutputRecord {
  let name: String
  let sample: Sample

  /// `{name, time_ns, value, status, reason?, remedy?}` on one line.
  func json() throws -> String {
    var record: ValueDictionary = [
      "name": .string(name), "time_ns": .int(sample.realtime), "value": sample.value,
    ]
    record.addStatus(of: sample)
    return try Value.dictionary(record).json()
  }

  /// `time name=value` on one line, the value as `gathered watch` writes it.
  var line: String { "\(Value.time(sample.realtime).formatted()) \(name)=\(sample.word())" }
}
