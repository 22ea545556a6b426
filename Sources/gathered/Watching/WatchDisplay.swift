import Gathering

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
}

/// One line a reading or event, for pipes and files.
struct LineDisplay: WatchDisplay {
  /// Whether lines are JSON objects.
  let isJSON: Bool

  var drawsWithin: Int64? { nil }

  func begin() {}
  func end() {}
  func resize() {}
  func draw(_ sources: [WatchedSource], isForced: Bool) {}

  func show(
    _ readings: Int, of update: SourceUpdate, from source: WatchedSource, now: Int64
  ) throws {
    var text = ""
    for (samples, time) in zip(update.rows, update.realtimes).prefix(readings) {
      let record = Record(source.selection, samples, time: time > 0 ? time : now)
      text += try (isJSON ? record.json() : record.line) + "\n"
    }
    try StandardOutput.write(text)
  }

  func show(_ event: SourceEvent, now: Int64) throws {
    let record = EventRecord(event, time: now)
    try StandardOutput.write((isJSON ? record.json() : record.line) + "\n")
  }
}
