public import Gathering
import Values

/// All rows of one source, or of one stream, of a recording, as a table of typed columns.
///
/// A source that went on with other properties is one table all the same: it has the columns of the
/// newest table, then those that only earlier ones had; what a row lacks is missing in it. A stream
/// has one column, `value`. Rows come in the order they were recorded.
public struct RecordedTable: Sendable {
  /// A block, and where each column stands in its rows; nil where they lack it.
  struct Part: Sendable {
    let block: RecordedBlock
    let places: [Int?]
  }

  /// The id of the source, or the name of the stream.
  public let name: String
  /// What it was when it was recorded last.
  public let series: RecordedSeries
  /// Its columns, in order.
  public let columns: [RecordedColumn]
  /// How many rows there are, those of damaged blocks included.
  public var rowCount: Int { parts.reduce(0) { $0 + $1.block.rowCount } }
  let parts: [Part]
  /// The numbers of the series it is made of.
  let numbers: Set<UInt32>
  let file: RecordingParts

  /// The table of a source, by its id or a kind's name, or else of a stream, by its name.
  ///
  /// A kind's name stands for what speaks for all its instances, or for the first of them. Throws
  /// `notFound` with the nearest names; for a stream, whose values have to be looked at to know
  /// their type, also what reading throws.
  public init(_ name: String, of recording: RecordingParts) throws(SourceError) {
    let all = recording.series
    let id = try? SourceIdentifier(parsing: name)
    let wanted = id.flatMap { Self.source($0, in: all) } ?? .stream(name)
    let series = all.filter { $0.origin == wanted }
    guard let newest = series.last else {
      throw .notFound(Nearest.sentence(to: name, among: all.map(\.name), what: "source or stream"))
    }
    let blocks = Dictionary(grouping: recording.blocks, by: \.series)
    try self.init(series, newest: newest, of: recording, blocks: blocks)
  }

  /// The tables of everything in a recording, in the order it was added.
  public static func all(of recording: RecordingParts) throws(SourceError) -> [RecordedTable] {
    let all = recording.series
    let blocks = Dictionary(grouping: recording.blocks, by: \.series)
    var same = Dictionary(grouping: all, by: \.origin)
    var tables: [RecordedTable] = []
    for series in all {
      guard let own = same.removeValue(forKey: series.origin), let newest = own.last else {
        continue
      }
      tables.append(try RecordedTable(own, newest: newest, of: recording, blocks: blocks))
    }
    return tables
  }

  private init(
    _ series: [RecordedSeries], newest: RecordedSeries, of recording: RecordingParts,
    blocks: [UInt32: [RecordedBlock]]
  ) throws(SourceError) {
    name = newest.name
    self.series = newest
    file = recording
    let numbers = Set(series.map(\.number))
    self.numbers = numbers
    // In the order they were recorded.
    let blocks = numbers.flatMap { blocks[$0] ?? [] }
      .sorted { RecordingPosition($0) < RecordingPosition($1) }
    if case .stream = newest.origin {
      columns = [try RecordedColumn.ofStream(blocks, in: recording)]
      parts = blocks.map { Part(block: $0, places: [0]) }
      return
    }
    var properties = newest.properties
    for property in series.reversed().flatMap(\.properties)
    where !properties.contains(where: { $0.key == property.key }) {
      properties.append(property)
    }
    columns = properties.map { RecordedColumn($0) }
    var places: [UInt32: [Int?]] = [:]
    for each in series {
      let keys = each.properties.map(\.key)
      places[each.number] = properties.map { keys.firstIndex(of: $0.key) }
    }
    parts = blocks.map { Part(block: $0, places: places[$0.series] ?? []) }
  }

  /// The source an id leads to, as opening does (sources N5).
  private static func source(
    _ id: SourceIdentifier, in all: [RecordedSeries]
  ) -> RecordedSeries.Origin? {
    let sources = all.filter { series in
      guard case .source(let other) = series.origin else { return false }
      return other == id || (id.instance == nil && other.kind == id.kind && other.instance != nil)
    }
    return (sources.first { $0.isAggregate } ?? sources.first)?.origin
  }
}

/// One column of a table: a property, or what a stream brought.
public struct RecordedColumn: Equatable, Sendable {
  /// What it is called: the key of its property, or `value.` and the key where the row's own times
  /// are called so.
  public let name: String
  /// The property; of a stream one whose key is `value`.
  public let property: Property
  /// Whether each value is written as JSON, since they are of several types.
  public let isJSON: Bool

  /// The columns that every row has: when it was so.
  public static let rowTimes = ["time", "boot"]

  init(_ property: Property, isJSON: Bool = false) {
    var (property, isJSON) = (property, isJSON)
    // What a damaged or foreign file may tell, and no vector has.
    if case .vector(let components) = property.type, !(2...4).contains(components.count) {
      (property.type, isJSON) = (.string, true)
    }
    let isTaken = Self.rowTimes.contains(property.key)
    name = isTaken ? "value.\(property.key)" : property.key
    self.property = property
    self.isJSON = isJSON
  }

  /// The column of a stream, of the type its values have: text where it is more than one, or one
  /// that no column has.
  static func ofStream(
    _ blocks: [RecordedBlock], in recording: RecordingParts
  ) throws(SourceError) -> RecordedColumn {
    var types: [PropertyType] = []
    for block in blocks {
      guard let rows = try recording.rows(unlessDamaged: block), rows.propertyCount == 1 else {
        continue
      }
      for type in rows.table.columns[0].payloads.types where !types.contains(type) {
        types.append(type)
      }
    }
    let isNumber = !types.isEmpty && types.allSatisfy { [.int, .double].contains($0) }
    let type = isNumber && types.count > 1 ? .double : types.first ?? .string
    let isJSON = types.contains(.enumeration([])) || (types.count > 1 && !isNumber)
    return RecordedColumn(
      Property("value", isJSON ? .string : type, .continuous), isJSON: isJSON)
  }
}

extension PayloadColumn {
  /// The types of its payloads; an enumeration without words stands for what no column has.
  fileprivate var types: [PropertyType] {
    switch self {
    case .none: []
    case .whole(.bool, _): [.bool]
    case .whole(.int, _): [.int]
    case .whole(.time, _): [.time]
    case .numbers(_, 1): [.double]
    case .numbers(_, let width): [.vector(components: Vector.names(width))]
    case .words(let isText, _): [isText ? .string : .bytes]
    case .mixed(let values): values.map(\.columnType)
    }
  }
}

extension Value {
  fileprivate var columnType: PropertyType {
    switch self {
    case .bool: .bool
    case .int: .int
    case .double: .double
    case .vector(let vector): .vector(components: Vector.names(vector.count))
    case .string: .string
    case .bytes: .bytes
    case .time: .time
    case .none, .dictionary, .list: .enumeration([])
    }
  }
}

extension Vector {
  /// The names of a vector's components where no property names them.
  static func names(_ count: Int) -> [String] {
    Array(["x", "y", "z", "w"].prefix(count))
  }
}

extension RecordingParts {
  /// The rows of a block; nil, and a line in the log, where it is damaged, which costs its rows
  /// only. Throws `io`.
  func rows(unlessDamaged block: RecordedBlock) throws(SourceError) -> RecordedRows? {
    do throws(SourceError) {
      return try rows(of: block)
    } catch .parse(let reason) {
      Log.write(.warning, "recording", reason)
      return nil
    }
  }
}
