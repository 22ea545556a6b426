import Gathering
import Recording
import Values

/// The targets of ids on the command line in a recording: sources, streams, properties, components.
struct RecordedSelection {
  /// The question that finds the rows.
  private(set) var query = RecordingQuery()
  /// The paths selected for each name; an empty path is everything.
  private var paths: [(name: String, path: [String])] = []

  /// The targets of the ids within some time; everything without ids.
  ///
  /// Throws a failure for names the recording does not have.
  init(
    _ ids: [String], from: RecordedMoment?, to: RecordedMoment?, in recording: RecordingParts
  ) throws {
    for id in ids { paths.append(try Self.parse(id, in: recording)) }
    if !ids.isEmpty { query.series = paths.map(\.name) }
    let keys = paths.compactMap(\.path.first)
    if !ids.isEmpty, keys.count == paths.count { query.properties = keys }
    if let span = recording.realtime, from != nil || to != nil {
      let (first, _) = span.upperBound.addingReportingOverflow(1)
      let start = from?.time(in: span) ?? span.lowerBound
      query.range = start..<max(start, to?.time(in: span) ?? max(first, span.upperBound))
    }
    try check(recording.series)
    if let unknown = query.unknown(in: recording).first {
      let names = Set(recording.series.map(\.name)).sorted().joined(separator: ", ")
      throw CommandFailure("the recording has no \"\(unknown)\"; it has \(names)")
    }
  }

  /// Throws a failure for a property or component that no series of its name has.
  private func check(_ series: [RecordedSeries]) throws {
    for (name, path) in paths where !path.isEmpty {
      let properties = series.filter { $0.answers(to: name) }.flatMap(\.properties)
      // The failure for an unknown name lists the known ones.
      if properties.isEmpty { continue }
      let isThere = properties.contains { property in
        guard property.key.isSpelt(path[0]) else { return false }
        guard path.count > 1 else { return true }
        guard case .vector(let names) = property.type else { return false }
        return path.count == 2 && names.contains(path[1])
      }
      if !isThere {
        throw CommandFailure("\(name) has no \"\(path.joined(separator: "/"))\" in the recording")
      }
    }
  }

  /// Whether ids name some of the values of a series rather than all.
  func isNarrow(of series: QueriedSeries) -> Bool {
    let own = paths.filter { series.facts.answers(to: $0.name) }
    return !own.isEmpty && !own.contains { $0.path.isEmpty }
  }

  /// A name and a path; a text that is no id may be the name of a stream.
  static func parse(
    _ text: String, in recording: RecordingParts
  ) throws -> (name: String, path: [String]) {
    if recording.series.contains(where: { $0.name.isSpelt(text) }) { return (text, []) }
    let id = try TypedIdentifier.parse(text) { kind in
      recording.series.compactMap { series in
        guard case .source(let id) = series.origin, id.kind == kind else { return nil }
        return id
      }
    }
    switch id {
    case .source(let id): return (id.description, [])
    case .property(let id): return (id.source.description, id.components)
    }
  }

  /// Which values of the rows of a series are wanted.
  func wanted(of series: QueriedSeries) -> [RecordedValue] {
    let own = paths.filter { series.facts.answers(to: $0.name) }.map(\.path)
    let isWhole = !isNarrow(of: series)
    return series.columns.indices.flatMap { place -> [RecordedValue] in
      let value = RecordedValue(series, at: place)
      if isWhole { return [value] }
      let components = own.filter { $0.first == value.property.key }.map { Array($0.dropFirst()) }
      if components.contains([]) { return [value] }
      return components.compactMap { value.narrowed(to: $0[0]) }
    }
  }
}

/// One value of the rows of a series: a property, or a component of it.
struct RecordedValue {
  /// Its name in the output.
  private(set) var key: String
  /// Its property.
  let property: Property
  /// The place of the property among the selected ones of the series.
  let place: Int
  /// The component, for one of a vector.
  private var component: Int?

  init(_ series: QueriedSeries, at place: Int) {
    self.place = place
    let properties = series.facts.properties
    let column = series.columns[place]
    property =
      properties.indices.contains(column)
      ? properties[column] : Property("value", .double, .onChange)
    key = series.members[place]
  }

  /// The names of the numbers it has, as ids spell them: its own, or one for each component.
  var names: [String] {
    guard component == nil, case .vector(let names) = property.type else { return [key] }
    return names.map { "\(key)/\($0)" }
  }

  func narrowed(to name: String) -> RecordedValue? {
    guard case .vector(let names) = property.type, let index = names.firstIndex(of: name) else {
      return nil
    }
    var value = self
    value.component = index
    value.key = "\(key)/\(name)"
    return value
  }

  /// The value, or its selected component.
  func part(of value: Value) -> Value {
    guard let component, case .vector(let vector) = value, let number = vector[component] else {
      return value
    }
    return .double(number)
  }

  /// The numbers in a value, one for each name.
  func numbers(in value: Value) -> [Double] {
    let part = part(of: value)
    return part.vector?.components ?? part.number.map { [$0] } ?? []
  }
}
