import Gathering
import Machine
import Values

/// One number as node_exporter tells it (serve W31).
struct NodeMetric {
  /// Its family, without `_total`.
  let family: String
  let kind: MetricFamily.Kind
  let labels: MetricLabels
  let number: Metric.Number
  /// What the family is, for people.
  let help: String

  /// A number of a property; the ending of a family's name tells whether it is a counter.
  init(
    _ name: String, _ labels: MetricLabels, _ number: Metric.Number, of source: MetricSource,
    at index: Int
  ) {
    let end = MetricFamily.Kind.counter.suffix
    kind = name.hasSuffix(end) ? .counter : .gauge
    family = kind == .counter ? String(name.dropLast(end.count)) : name
    self.labels = labels
    self.number = number
    help = "\(source.kindName): \(source.properties[index].name)"
  }
}

extension MetricPage {
  /// Adds what a scrape found that node_exporter tells too, under its names and as it tells it, and
  /// figures about the scrape.
  ///
  /// Values are given only where they are the same to the last bit: those that no kind changes, and
  /// otherwise what a kernel's file said, in node_exporter's arithmetic. What a kind withholds has
  /// no sample here either.
  public mutating func addNode(_ scrape: MetricScraper.Scrape) {
    var known: Set<NodeKey> = []
    for source in scrape.sources where source.device == nil {
      // An aggregate of one says what that says.
      for metric in source.nodeValues + source.nodeTexts
      where known.insert(NodeKey(family: metric.family, labels: metric.labels)).inserted {
        let family = MetricFamily(
          name: metric.family, kind: metric.kind, help: metric.help, unit: "")
        put(metric.number, metric.labels, in: place(of: family))
      }
    }
    addFigures(of: scrape)
  }

  private struct NodeKey: Hashable {
    let family: String
    let labels: MetricLabels
  }
}

extension MetricSource {
  /// The values that are good, by the places of their properties.
  var goodValues: [(index: Int, key: String, value: Value)] {
    zip(properties, samples).enumerated().compactMap { index, pair in
      pair.1.status == .ok ? (index, pair.0.key, pair.1.value) : nil
    }
  }

  /// The text of a property.
  func text(of key: String) -> String? {
    goodValues.first { $0.key == key }.flatMap { found in
      if case .string(let text) = found.value { text } else { nil }
    }
  }

  /// The files that it was read from.
  var files: (any FileTree)? { origin?.context.files }

  /// Whether a folder of the machine has an entry: names with hardware addresses are shown with
  /// digests in them, and are none of node_exporter's. Without files there is nothing to ask.
  func isListed(_ name: String, in folder: String) -> Bool {
    guard let files else { return true }
    return (try? files.entries(of: folder))?.contains(name) == true
  }
}
