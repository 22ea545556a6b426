import Gathering
import Values

/// Metrics of many sources, each family once, as the text that Prometheus scrapes (serve W27 to
/// W30).
///
/// A value that is not ok has no sample: it is never 0 and never NaN. Whether a source is there,
/// and why not, tells `gathered_source_available`. A page can be used again: what it knows of names
/// stays when it is cleared.
public struct MetricPage: Sendable {
  /// How many samples a page has at most. Families at the end are left out beyond it, and
  /// `gathered_scrape_truncated` is 1.
  public static let sampleLimit = 100_000

  /// In the order in which they came up.
  private(set) var families: [MetricFamily] = []
  /// What is written above each, at the same place.
  private(set) var heads: [MetricHead] = []
  /// Their places, by their names.
  private(set) var order: [Int] = []
  private var places: [ExactText: Int] = [:]
  /// What becomes of the values of a kind, for each table of properties that its instances have.
  private var tables: [ExactText: [(properties: [Property], columns: [MetricColumn?])]] = [:]

  /// An empty page.
  public init() {}

  /// Takes all metrics off the page.
  public mutating func clear() {
    for place in families.indices { families[place].metrics.removeAll(keepingCapacity: true) }
  }

  /// Adds what a source tells.
  public mutating func add(_ source: MetricSource) {
    addAvailability(of: source)
    let labels = source.names.labels
    var texts = labels
    var textFamily: Int?
    for (column, sample) in zip(columns(of: source), source.samples) {
      guard let column, sample.status == .ok else { continue }
      if case .label = column.form {
        guard case .string(let text) = sample.value else { continue }
        texts.add(column.label, text)
        textFamily = column.family
      } else {
        add(sample.value, by: column, labels)
      }
    }
    if let textFamily { put(.int(1), texts, in: textFamily) }
  }

  /// Adds all that a scrape found, and figures about it and the library (serve W32).
  public mutating func add(_ scrape: MetricScraper.Scrape) {
    for source in scrape.sources { add(source) }
    addFigures(of: scrape)
  }

  /// Adds figures about a scrape and the library.
  mutating func addFigures(of scrape: MetricScraper.Scrape) {
    addFigure("scrape_late", "Sources that were not read in time", .int(Int64(scrape.late)))
    addFigure(
      "scrape_duration_seconds", "How long reading the sources took", unit: "seconds",
      .double(Double(scrape.duration) / 1e9))
    var labels = MetricLabels()
    labels.add("version", Version.text)
    let family = MetricFamily(
      name: "gathered_build", kind: .info, help: "The version of GatheredKit", unit: "")
    put(.int(1), labels, in: place(of: family))
  }

  /// Adds figures about a server.
  public mutating func add(_ server: ServerFigures) {
    addFigure(
      "serve_connections", "Clients that are connected", .int(Int64(server.connections)))
    addFigure("serve_streams", "Event streams that are open", .int(Int64(server.streams)))
    addFigure(
      "serve_rows_lost", "Rows that slow clients of event streams have not got", kind: .counter,
      .int(Int64(clamping: server.lostRows)))
  }

  private mutating func addFigure(
    _ name: String, _ help: String, kind: MetricFamily.Kind = .gauge, unit: String = "",
    _ number: Metric.Number
  ) {
    let family = MetricFamily(name: "gathered_\(name)", kind: kind, help: help, unit: unit)
    put(number, MetricLabels(), in: place(of: family))
  }

  private mutating func addAvailability(of source: MetricSource) {
    let isThere = source.names.reason == nil
    put(.int(isThere ? 1 : 0), source.names.availability, in: place(of: Self.available))
  }

  private static let available = MetricFamily(
    name: "gathered_source_available", kind: .gauge,
    help: "1 for a source that can be read, 0 for one that cannot, and why", unit: "")

  private mutating func add(_ value: Value, by column: MetricColumn, _ labels: MetricLabels) {
    switch (column.form, value) {
    case (.flag, .bool(let isSo)): put(.int(isSo ? 1 : 0), labels, in: column.family)
    case (.number(let divisor), .int(let number)):
      let isWhole = divisor == 1
      put(isWhole ? .int(number) : .double(Double(number) / divisor), labels, in: column.family)
    case (.number(let divisor), .double(let number)):
      put(.double(number / divisor), labels, in: column.family)
    case (.moment, .time(let moment)):
      put(.double(Double(moment) / 1e9), labels, in: column.family)
    case (.states(let words), .string(let word)):
      let present = words.contains(word) ? word : "other"
      for state in words {
        let more = labels.adding(column.label, state)
        put(.int(state == present ? 1 : 0), more, in: column.family)
      }
    case (.axes(let axes, let divisor), .vector(let vector)):
      for (axis, number) in zip(axes, vector.components) {
        put(.double(number / divisor), labels.adding("axis", axis), in: column.family)
      }
    default: break
    }
  }

  mutating func put(_ number: Metric.Number, _ labels: MetricLabels, in family: Int) {
    if case .double(let number) = number, !number.isFinite { return }
    families[family].metrics.append(Metric(labels: labels, number: number))
  }

  // MARK: Names

  mutating func place(of family: MetricFamily) -> Int {
    let name = ExactText(family.name)
    if let known = places[name] { return known }
    let place = families.count
    places[name] = place
    families.append(family)
    heads.append(MetricHead(of: family))
    order.insert(place, at: rank(of: family.name))
    return place
  }

  /// How many families have a name before this one.
  private func rank(of name: String) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if families[order[middle]].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func columns(of source: MetricSource) -> [MetricColumn?] {
    let kind = ExactText(source.kind)
    if let known = tables[kind]?.first(where: { $0.properties == source.properties }) {
      return known.columns
    }
    let columns = source.properties.map { property -> MetricColumn? in
      guard
        let (family, form) = MetricFamily.of(
          property, kind: source.kind, kindName: source.kindName)
      else { return nil }
      return MetricColumn(
        property, of: source.kind, form, in: place(of: family), named: family.name)
    }
    tables[kind, default: []].append((source.properties, columns))
    return columns
  }
}
