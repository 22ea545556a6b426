/// The texts in which a page of metrics is written.
public enum MetricText: Sendable {
  /// OpenMetrics 1.0.
  case openMetrics
  /// Prometheus's older text, 0.0.4, which more programs read.
  case prometheus

  /// What it is called in `Accept` and `Content-Type`.
  public var contentType: String {
    switch self {
    case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
    }
  }
}

extension MetricPage {
  /// The page as text: families by name, metrics in the order in which they were added.
  public func text(as form: MetricText) -> [UInt8] {
    var shown: [MetricFamily] = []
    var left = Self.sampleLimit
    let filled = families.filter { !$0.metrics.isEmpty }.sorted { $0.name < $1.name }
    for family in filled {
      left -= family.metrics.count
      if left < 0 { break }
      shown.append(family)
    }
    let truncated = MetricFamily(
      name: "gathered_scrape_truncated", kind: .gauge,
      help: "1 where families at the end were left out", unit: "",
      metrics: [Metric(labels: MetricLabels(), number: .int(left < 0 ? 1 : 0))])
    let place = shown.firstIndex { truncated.name < $0.name } ?? shown.endIndex
    shown.insert(truncated, at: place)
    var text: [UInt8] = []
    text.reserveCapacity(shown.reduce(0) { $0 + 200 + $1.metrics.count * 100 })
    for family in shown {
      text.append(headOf: family, as: form)
      text.append(metricsOf: family)
    }
    if form == .openMetrics { text += "# EOF\n".utf8 }
    return text
  }
}

extension [UInt8] {
  fileprivate mutating func append(headOf family: MetricFamily, as form: MetricText) {
    let isOpen = form == .openMetrics
    let name = isOpen ? family.name : family.name + family.kind.suffix
    let kind: MetricFamily.Kind = isOpen || family.kind == .counter ? family.kind : .gauge
    self += "# HELP \(name) ".utf8
    append(escaping: family.help, quotes: isOpen)
    self += "\n# TYPE \(name) \(kind.rawValue)\n".utf8
    if isOpen, !family.unit.isEmpty, family.kind != .stateSet {
      self += "# UNIT \(name) \(family.unit)\n".utf8
    }
  }

  fileprivate mutating func append(metricsOf family: MetricFamily) {
    let name = Array((family.name + family.kind.suffix).utf8)
    for metric in family.metrics {
      self += name
      if !metric.labels.text.isEmpty {
        append(UInt8(ascii: "{"))
        self += metric.labels.text
        append(UInt8(ascii: "}"))
      }
      append(UInt8(ascii: " "))
      switch metric.number {
      case .int(let number): self += number.description.utf8
      case .double(let number): self += number.description.utf8
      }
      append(UInt8(ascii: "\n"))
    }
  }
}
