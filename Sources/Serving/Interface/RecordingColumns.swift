import Gathering
import Recording
import Values

/// The numbers of a recording over time, an interval at a time, with one time axis (serve 5).
struct RecordingColumns {
  /// A number that was asked for, or a component of one.
  fileprivate struct Column {
    let name: String
    let key: String
    let component: Int?
    let property: Property
    var counts: [Value] = []
    var minima: [Value] = []
    var means: [Value] = []
    var maxima: [Value] = []
  }

  static let parameters = [
    Route.Parameter(
      name: "select", meaning: "a number, as ID/KEY or ID/KEY/COMPONENT; default: all",
      isRepeated: true),
    Route.Parameter(name: "from", meaning: "seconds from the first row, or a date and time"),
    Route.Parameter(name: "to", meaning: "the same; not included"),
    Route.Parameter(name: "every", meaning: "the length of an interval in seconds", type: "number"),
    Route.Parameter(name: "limit", meaning: "the most intervals, to 10000", type: "integer"),
  ]

  private static let limit = 10_000

  private let recording: RecordingParts
  private let allowance: Allowance
  private let selects: [PropertyIdentifier]
  private var query = RecordingQuery()
  private let every: Int64
  private let isWidened: Bool

  /// Takes a request apart. Refuses what the recording does not have, and bounds in wrong order.
  init(_ call: RouteCall, _ recording: RecordingParts, _ allowance: Allowance) throws {
    self.recording = recording
    self.allowance = allowance
    selects = try call.texts("select").map { text in
      do {
        return try PropertyIdentifier(parsing: text)
      } catch {
        throw Refusal(.invalidArgument, "select: \(error)")
      }
    }
    if !selects.isEmpty { query.series = selects.map(\.source.description) }
    let span = recording.realtime ?? 0...0
    let from = try Self.moment("from", of: call, in: span) ?? span.lowerBound
    let to = try Self.moment("to", of: call, in: span) ?? span.upperBound &+ 1
    guard from <= to else { throw Refusal(.invalidArgument, "from is behind to") }
    query.range = from..<to
    let limit = try call.integer("limit", within: 1...Self.limit) ?? 1000
    let asked = try call.duration("every", within: 1e-6...1e9)
    // As many nanoseconds as there are between any two moments.
    let (whole, rest) = UInt64(bitPattern: to &- from).quotientAndRemainder(
      dividingBy: UInt64(limit))
    let least = max(1, Int64(clamping: rest > 0 ? whole + 1 : whole))
    every = max(asked ?? least, least)
    isWidened = asked.map { $0 < least } ?? false
    if let unknown = query.unknown(in: recording).first {
      let names = recording.series.map(\.name)
      throw Refusal(.notFound, Nearest.sentence(to: unknown, among: names, what: "series"))
    }
  }

  private static func moment(
    _ name: String, of call: RouteCall, in span: ClosedRange<Int64>
  ) throws(Refusal) -> Int64? {
    guard let text = try call.text(name) else { return nil }
    if let time = TimeText.nanoseconds(iso8601: text) { return time }
    if text.hasSuffix("ns"), let time = Int64(text.dropLast(2)) { return time }
    if let seconds = Double(text), (0...1e9).contains(seconds) {
      let (moment, isBeyond) = span.lowerBound.addingReportingOverflow(Int64(seconds * 1e9))
      return isBeyond ? .max : moment
    }
    throw Refusal(
      .invalidArgument,
      "\(name) is seconds from the first row up to 1e9, a time such as 2026-06-21T12:00:00Z, or "
        + "nanoseconds since 1970 with ns behind")
  }

  /// The answer: `{every_ns, widened, time, columns}`.
  func json() throws -> [UInt8] {
    var times: [Int64] = []
    var columns = try chosenColumns()
    var intervals = try recording.intervals(query, every: every)
    while let interval = try intervals.next() {
      if times.last != interval.time {
        times.append(interval.time)
        for place in columns.indices { columns[place].appendNothing() }
      }
      for place in columns.indices where columns[place].name == interval.series.name {
        columns[place].set(interval)
      }
    }
    let first = times.first ?? 0
    return JSONBody.bytes([
      "every_ns": .int(every), "widened": .bool(isWidened),
      "time": .dictionary([
        "t0": JSONBody.moment(first),
        "dt": .list(times.map { .int(Self.nanoseconds(from: first, to: $0)) }),
      ]),
      "columns": .list(columns.map { .dictionary($0.dictionary) }),
    ])
  }

  /// How long after one moment another is; as long as can be told, where it is longer.
  private static func nanoseconds(from first: Int64, to moment: Int64) -> Int64 {
    let (length, isBeyond) = moment.subtractingReportingOverflow(first)
    return isBeyond ? (moment < first ? .min : .max) : length
  }

  private func chosenColumns() throws(Refusal) -> [Column] {
    var columns: [Column] = []
    for series in recording.series {
      for property in series.properties where property.hasNumbers {
        guard property.category.map(allowance.permits) ?? true else { continue }
        let wanted = selects.filter { select in
          select.key == property.key && series.answers(to: select.source.description)
        }
        if !selects.isEmpty && wanted.isEmpty { continue }
        columns += Self.columns(of: series, property, wanted.map(\.components))
      }
    }
    if columns.isEmpty, let first = selects.first {
      throw Refusal(.notFound, "the recording has no numbers \(first)")
    }
    return columns
  }

  private static func columns(
    of series: RecordedSeries, _ property: Property, _ paths: [[String]]
  ) -> [Column] {
    guard case .vector(let names) = property.type else {
      return [Column(name: series.name, key: property.key, component: nil, property: property)]
    }
    let chosen = Set(paths.compactMap { $0.count > 1 ? $0[1] : nil })
    return names.indices.filter { chosen.isEmpty || chosen.contains(names[$0]) }.map { component in
      Column(name: series.name, key: property.key, component: component, property: property)
    }
  }
}

extension RecordingColumns.Column {
  fileprivate mutating func appendNothing() {
    counts.append(.int(0))
    minima.append(.none)
    means.append(.none)
    maxima.append(.none)
  }

  fileprivate mutating func set(_ interval: RecordedInterval) {
    guard
      let place = interval.series.columns.indices.first(where: { place in
        let column = interval.series.columns[place]
        return interval.series.facts.properties.indices.contains(column)
          && interval.series.facts.properties[column].key == key
      }), let found = interval.numbers(at: place), let last = counts.indices.last
    else { return }
    counts[last] = .int(Int64(interval.rowCount))
    minima[last] = part(of: found.minimum)
    means[last] = part(of: found.mean)
    maxima[last] = part(of: found.maximum)
  }

  private func part(of value: Value) -> Value {
    guard let component, case .vector(let vector) = value else { return value }
    return vector[component].map(Value.double) ?? Value.none
  }

  fileprivate var dictionary: ValueDictionary {
    var component = Value.none
    if case .vector(let names) = property.type, let place = self.component {
      component = .string(names[place])
    }
    return [
      "id": .string(name), "key": .string(key),
      "unit": property.unit.map(Value.string) ?? Value.none,
      "component": component, "count": .list(counts), "min": .list(minima), "mean": .list(means),
      "max": .list(maxima),
    ]
  }
}

extension Property {
  fileprivate var hasNumbers: Bool {
    switch type {
    case .int, .double, .vector: true
    default: false
    }
  }
}
