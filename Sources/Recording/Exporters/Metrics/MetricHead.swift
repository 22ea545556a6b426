/// What stands above the metrics of a family, and in front of each, as it is written: made once,
/// since a page is written again and again.
struct MetricHead: Sendable {
  /// The lines of OpenMetrics.
  let openMetrics: [UInt8]
  /// Those of Prometheus's older text.
  let prometheus: [UInt8]
  /// What each sample is called.
  let sample: [UInt8]

  init(of family: MetricFamily) {
    let sample = family.name + family.kind.suffix
    let kind = family.kind == .counter ? family.kind : .gauge
    var open = Self.lines(family.name, family.kind, family.help, quotes: true)
    if !family.unit.isEmpty, family.kind != .stateSet {
      open += "# UNIT \(family.name) \(family.unit)\n".utf8
    }
    openMetrics = open
    prometheus = Self.lines(sample, kind, family.help, quotes: false)
    self.sample = Array(sample.utf8)
  }

  /// The lines in a text.
  func lines(as form: MetricText) -> [UInt8] {
    switch form {
    case .openMetrics: openMetrics
    case .prometheus: prometheus
    }
  }

  private static func lines(
    _ name: String, _ kind: MetricFamily.Kind, _ help: String, quotes: Bool
  ) -> [UInt8] {
    var text = Array("# HELP \(name) ".utf8)
    text.append(escaping: help, quotes: quotes)
    text += "\n# TYPE \(name) \(kind.rawValue)\n".utf8
    return text
  }
}
