import GatheredKitTesting
import Gathering
import Ground
import Machine
import Values

@testable import Recording

/// A recording put together by the test, series by series and block by block.
struct HandMadeRecording {
  static let path = "/hand.gkr"
  private var segment: RecordingSegment

  init(in folder: TemporaryFolder) throws {
    let file = try LiveStorage().open(folder.path + Self.path, for: .creating)
    segment = RecordingSegment(file, number: 0, birth: 0)
    segment.append(
      .opening, RecordedOpening(instant: Instant(boot: 0, realtime: 0), segment: 0).dictionary)
  }

  mutating func add(_ series: RecordedSeries) { segment.append(.series, series.dictionary) }

  mutating func add(_ event: RecordedEvent) { segment.append(.event, event.dictionary) }

  mutating func add(_ rows: [[Sample]], of series: UInt32) {
    let width = rows.first?.count ?? 0
    var table = RowTable(properties: width)
    for row in rows { table.append(row) }
    var scales = [Numbers.Scale?](repeating: nil, count: width)
    segment.append(.rows, table.body(ofSeries: series, scales: &scales))
  }

  mutating func finished(in folder: TemporaryFolder) throws -> RecordingParts {
    try segment.write(andSync: true)
    segment.close()
    return try RecordingParts(folder.path + Self.path)
  }

  static func source(_ number: UInt32, _ id: String, _ properties: [Property]) throws
    -> RecordedSeries
  {
    var series = RecordedSeries(number, .source(try SourceIdentifier(parsing: id)))
    series.properties = properties
    return series
  }

  /// A row at a second, whose values are all new; nil for what has none.
  static func row(_ second: Int64, _ values: [Value?]) -> [Sample] {
    values.map { value in
      let time = second * 1_000_000_000
      return Sample(
        value ?? .none, status: value == nil ? .noData : .ok, time: time,
        realtime: time + 1_700_000_000_000_000_000, sequence: UInt64(second),
        absence: value == nil ? Absence("none", remedy: "wait") : nil)
    }
  }
}
