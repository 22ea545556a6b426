/// All metrics of one name, as OpenMetrics 1.0 calls them.
struct MetricFamily: Sendable {
  /// What its metrics are. Prometheus's older text has only the first two.
  enum Kind: String, Sendable {
    case gauge, counter
    case stateSet = "stateset"
    case info

    /// What the names of samples end with.
    var suffix: String {
      switch self {
      case .counter: "_total"
      case .info: "_info"
      case .gauge, .stateSet: ""
      }
    }
  }

  let name: String
  let kind: Kind
  let help: String
  /// What the name ends with, if it ends with a unit.
  let unit: String
  /// In the order in which they were added.
  var metrics: [Metric] = []
}

/// One number with its labels.
struct Metric: Sendable {
  /// A number as it is written.
  enum Number: Sendable {
    case double(Double)
    case int(Int64)
  }

  let labels: MetricLabels
  let number: Number
}

/// Labels as they are written, without braces: `source="BAT0",axis="x"`.
struct MetricLabels: Hashable, Sendable {
  private(set) var text: [UInt8] = []

  init() {}

  init(_ labels: KeyValuePairs<String, String?>) {
    for (name, value) in labels { add(name, value ?? "") }
  }

  /// Adds a label; an empty one is the same as none.
  mutating func add(_ name: String, _ value: String) {
    if value.isEmpty { return }
    if !text.isEmpty { text.append(UInt8(ascii: ",")) }
    text += name.utf8
    text += "=\"".utf8
    text.append(escaping: value)
    text.append(UInt8(ascii: "\""))
  }

  func adding(_ name: String, _ value: String) -> MetricLabels {
    var more = self
    more.add(name, value)
    return more
  }
}

extension [UInt8] {
  /// Appends a text in which backslash, quote and line feed are written with a backslash.
  mutating func append(escaping text: String, quotes: Bool = true) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): self += "\\\\".utf8
      case UInt8(ascii: "\n"): self += "\\n".utf8
      case UInt8(ascii: "\"") where quotes: self += "\\\"".utf8
      default: append(byte)
      }
    }
  }
}
