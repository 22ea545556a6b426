import Gathering
import Values

/// Something that happened to a source or an instance, on its way into a pipe.
struct EventRecord {
  private let id: String
  private let time: Int64
  private let facts: ValueDictionary

  /// Makes a record of an event and its time, in nanoseconds since 1970.
  init(_ event: SourceEvent, time: Int64) {
    id = event.id.description
    self.time = time
    facts = event.what.facts
  }

  /// `{id, time_ns, event, availability?, reason?, remedy?}`.
  var dictionary: ValueDictionary {
    var record: ValueDictionary = ["id": .string(id), "time_ns": .int(time)]
    for (key, value) in facts { record[key] = value }
    return record
  }

  /// The same on one line.
  func json() throws -> String { try Value.dictionary(dictionary).json() }

  /// `time id word` for people: the present state, or the event.
  var headline: String {
    let word = (facts["availability"] ?? facts["event"])?.text ?? ""
    let seconds = time / 1_000_000_000 * 1_000_000_000
    return "\(Value.time(seconds).formatted())  \(id)  \(word)"
  }

  /// `time id event=WORD …` on one line.
  var line: String {
    let words = facts.map { "\($0.key)=\(($0.value.text ?? "").quotedIfNeeded)" }
    return ([Value.time(time).formatted(), id] + words).joined(separator: " ")
  }
}
