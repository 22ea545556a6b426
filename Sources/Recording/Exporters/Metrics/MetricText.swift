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
    var shown: [Int] = []
    var left = Self.sampleLimit
    for place in order where !families[place].metrics.isEmpty {
      left -= families[place].metrics.count
      if left < 0 { break }
      shown.append(place)
    }
    var truncated = Self.truncated
    truncated.metrics = [Metric(labels: MetricLabels(), number: .int(left < 0 ? 1 : 0))]
    let place = shown.firstIndex { truncated.name < families[$0].name } ?? shown.endIndex
    let room = shown.reduce(
      MetricWriter.room(for: truncated, Self.truncatedHead, as: form) + Self.end.count
    ) { $0 + MetricWriter.room(for: families[$1], heads[$1], as: form) }
    return [UInt8](unsafeUninitializedCapacity: room) { memory, count in
      var text = MetricWriter(memory)
      for place in shown[..<place] { text.write(families[place], heads[place], as: form) }
      text.write(truncated, Self.truncatedHead, as: form)
      for place in shown[place...] { text.write(families[place], heads[place], as: form) }
      if form == .openMetrics { text.write(Self.end) }
      count = text.count
    }
  }

  private static let end = Array("# EOF\n".utf8)
  private static let truncated = MetricFamily(
    name: "gathered_scrape_truncated", kind: .gauge,
    help: "1 where families at the end were left out", unit: "")
  private static let truncatedHead = MetricHead(of: truncated)
}
