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
  /// A source could not be started, or is not updated as it was asked for.
  mutating func tell(_ failure: CommandFailure)
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

extension WatchDisplay {
  /// On standard error, unless the display has a better place.
  func tell(_ failure: CommandFailure) { failure.report() }
}

/// One line a reading or event, for pipes and files.
struct LineDisplay: WatchDisplay {
  /// Whether lines are JSON objects.
  let isJSON: Bool
  private var news: WatchedNews

  init(isJSON: Bool, showsAll: Bool) {
    self.isJSON = isJSON
    news = WatchedNews(showsAll: showsAll)
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
    let records = news.records(readings, of: update, from: source, now: now)
    let lines = try records.map { try (isJSON ? $0.json() : $0.line) + "\n" }
    try StandardOutput.write(lines.joined())
  }

  func show(_ event: SourceEvent, now: Int64) throws {
    let record = EventRecord(event, time: now)
    try StandardOutput.write((isJSON ? record.json() : record.line) + "\n")
  }
}
