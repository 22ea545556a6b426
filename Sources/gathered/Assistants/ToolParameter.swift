import Gathering
import Recording
import Values

/// An argument of a tool: what it may be, and what it means.
struct ToolParameter: Sendable {
  enum Kind: Sendable {
    case text
    case texts
    case seconds(ClosedRange<Double>)
    case count(ClosedRange<Int64>)
    /// Seconds from the beginning of a recording, or a time.
    case moment
    /// A JSON object, or its text.
    case document
  }

  let name: String
  let kind: Kind
  let meaning: String
  let isRequired: Bool

  init(_ name: String, _ kind: Kind, _ meaning: String, isRequired: Bool = false) {
    (self.name, self.kind, self.meaning, self.isRequired) = (name, kind, meaning, isRequired)
  }

  /// It in words of JSON Schema.
  var schema: Value {
    var schema: ValueDictionary
    switch kind {
    case .text: schema = ["type": .string("string")]
    case .texts:
      let item: ValueDictionary = ["type": .string("string")]
      schema = ["type": .string("array"), "items": .dictionary(item)]
    case .seconds(let range):
      schema = [
        "type": .string("number"), "minimum": .double(range.lowerBound),
        "maximum": .double(range.upperBound),
      ]
    case .count(let range):
      schema = [
        "type": .string("integer"), "minimum": .int(range.lowerBound),
        "maximum": .int(range.upperBound),
      ]
    case .moment: schema = ["type": .list([.string("number"), .string("string")])]
    case .document: schema = ["type": .list([.string("object"), .string("string")])]
    }
    schema["description"] = .string(meaning)
    return .dictionary(schema)
  }

  /// What a value has to be, for one that is not; nil for one that is.
  func objection(to value: Value) -> String? {
    switch kind {
    case .text: value.text == nil ? "a text" : nil
    case .texts:
      if case .list(let items) = value, items.allSatisfy({ $0.text != nil }) {
        nil
      } else {
        "a list of texts"
      }
    case .seconds(let range):
      value.number.map(range.contains) == true
        ? nil : "a number of seconds from \(range.lowerBound) to \(range.upperBound)"
    case .count(let range):
      if case .int(let number) = value, range.contains(number) {
        nil
      } else {
        "a whole number from \(range.lowerBound) to \(range.upperBound)"
      }
    case .moment:
      RecordedMoment(value) == nil
        ? "seconds from the first row, or a time such as 2026-06-21T12:00:00Z" : nil
    case .document: Self.document(value) == nil ? "a JSON object, or its text" : nil
    }
  }

  /// The text of a document.
  static func document(_ value: Value) -> [UInt8]? {
    switch value {
    case .string(let text): Array(text.utf8)
    case .dictionary: (try? value.json()).map { Array($0.utf8) }
    default: nil
    }
  }
}

extension RecordedMoment {
  /// The moment that an argument names.
  init?(_ value: Value) {
    guard let text = value.text ?? value.number.map({ "\($0)" }) else { return nil }
    self.init(argument: text)
  }
}
