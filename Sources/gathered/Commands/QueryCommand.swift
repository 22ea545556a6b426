import ArgumentParser
import CommandOptions
import Gathering
import Recording
import Values

/// `gathered query`: rows of a recording.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Print rows of a recording.",
    discussion: """
      Prints the rows of a recording in order of time, as 'gathered watch' prints them: 'time id \
      key=value …', or with --json one object per line. On a terminal values are rounded for \
      people. Ids select sources, properties and components; a kind selects all its instances.

      With --every the rows of each interval are summarised: their number, the minimum, maximum \
      and mean of each number, the last value of everything else. Intervals begin at multiples of \
      their length in UTC.

      With --plot each number is drawn over time, in each column from its minimum to its maximum.

      --from and --to take seconds from the first row, or a time such as 2026-06-21T12:00:00Z; \
      --to is excluded. If a recording consists of several files, all are read.

      EXAMPLES
        gathered query walk.gkr
        gathered query walk.gkr accelerometer --from 10 --to 12.5
        gathered query walk.gkr battery/level memory/available --every 60
        gathered query walk.gkr accelerometer/acceleration/x --plot
        gathered query walk.gkr --offset 1000 --limit 50 --json
      """)

  @Flag(help: "Print one JSON object per line.")
  var json = false

  @Flag(help: "Draw numbers over time.")
  var plot = false

  @OptionGroup var part: RecordingPart

  @Option(help: ArgumentHelp("Summarise intervals of this length.", valueName: "time"))
  var every: Seconds?

  @Option(help: ArgumentHelp("Skip this many rows.", valueName: "n"))
  var offset = 0

  @Option(help: ArgumentHelp("Print at most this many rows.", valueName: "n"))
  var limit: Int?

  func validate() throws {
    if let every, every.nanoseconds <= 0 {
      throw ValidationError("--every takes a time above 0, such as 100ms, 2s or 1m.")
    }
    if offset < 0 || limit ?? 0 < 0 {
      throw ValidationError("--offset and --limit take numbers from 0.")
    }
    if plot, json || every != nil || offset > 0 || limit != nil {
      throw ValidationError("--plot can be combined with ids, --from and --to only.")
    }
  }

  func run() throws {
    let recording = try RecordingParts.open(part.file)
    do {
      try run(on: recording)
    } catch let error as SourceError {
      throw CommandFailure(error)
    }
    recording.report()
  }

  private func run(on recording: RecordingParts) throws {
    let selection = try RecordedSelection(part.ids, from: part.from, to: part.to, in: recording)
    if plot { return try RecordedPlots(selection, of: recording).draw(on: Terminal.current) }
    var records = try RecordedRecords(
      selection, from: offset, limit: limit ?? .max, every: every?.nanoseconds, of: recording)
    var printer = RecordPrinter(isJSON: json)
    while let record = try records.next() { try printer.print(record) }
    try printer.finish()
  }
}
