import Gathering
import Values

/// Where a watch is shown.
protocol WatchDisplay {
  /// Takes hold of the output; again after `end`, when the process was suspended.
  mutating func begin() throws
  /// Leaves the output as it was found.
  mutating func end()
  /// A source has new values: the readings of an update, the oldest first.
  mutating func show(
    _ readings: Int, of update: SourceUpdate, from source: WatchedSource, now: Int64) throws
  /// Something happened to a source or an instance; `now` is on CLOCK_REALTIME.
  mutating func show(_ event: SourceEvent, now: Int64) throws
  /// Draws all sources, unless it is too early for that and not forced.
  mutating func draw(_ sources: [WatchedSource], isForced: Bool) throws
  /// The terminal has another size.
  mutating func resize()
  /// The nanoseconds until the next drawing; nil while there is nothing to draw.
  var drawsWithin: Int64? { get }
  /// Obeys a key; false if it means nothing here.
  mutating func obey(_ key: Keyboard.Key) -> Bool
  /// Whether a key asked for the end.
  var isEnding: Bool { get }
  /// What is to be read when the output was left: nothing, unless that took everything away.
  func remains(of sources: [WatchedSource]) -> String
}

/// One line a reading or event, for pipes and files.
struct LineDisplay: WatchDisplay {
  /// Whether lines are JSON objects.
  let isJSON: Bool
  /// Whether a value that is as it was is printed again.
  let showsAll: Bool
  /// The last values of each source that were printed, by its session.
  private var shown: [UInt32: [Sample]] = [:]

  init(isJSON: Bool, showsAll: Bool) {
    self.isJSON = isJSON
    self.showsAll = showsAll
  }

  var drawsWithin: Int64? { nil }
  var isEnding: Bool { false }

  func begin() {}
  func end() {}
  func resize() {}
  func obey(_ key: Keyboard.Key) -> Bool { false }
  func remains(of sources: [WatchedSource]) -> String { "" }
  func draw(_ sources: [WatchedSource], isForced: Bool) {}

  mutating func show(
    _ readings: Int, of update: SourceUpdate, from source: WatchedSource, now: Int64
  ) throws {
    let selection = source.selection
    let session = selection.source.number
    var text = ""
    for (samples, time) in zip(update.rows, update.realtimes).prefix(readings) {
      var fields = selection.fields(of: samples)
      if !showsAll, let before = shown[session] {
        fields = Self.changed(fields, from: selection.fields(of: before), isRow: update.isOfStream)
        if fields.isEmpty { continue }
      }
      shown[session] = samples
      let record = Record(
        id: selection.source.id.description, time: time > 0 ? time : now, fields: fields)
      text += try (isJSON ? record.json() : record.line) + "\n"
    }
    try StandardOutput.write(text)
  }

  /// The fields that are not as they were. A row of a stream is a measurement of its own: what it
  /// measured is news, also when it is the same.
  private static func changed(_ fields: [Field], from before: [Field], isRow: Bool) -> [Field] {
    guard fields.count == before.count else { return fields }
    return zip(fields, before).filter { field, old in
      isRow && field.property.mode == .continuous || !field.isAlike(old)
    }.map(\.0)
  }

  func show(_ event: SourceEvent, now: Int64) throws {
    let record = EventRecord(event, time: now)
    try StandardOutput.write((isJSON ? record.json() : record.line) + "\n")
  }
}
