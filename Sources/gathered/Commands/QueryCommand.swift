import ArgumentParser
import Gathering
import Recording
import Values

/// `gathered query`: rows of a recording.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Look up rows of a recording.",
    discussion: """
      Prints the rows of a recording in order of time, as 'gathered watch' prints them: 'time id \
      key=value …', or with --json one object a line. Ids narrow it down to sources, properties \
      and components; a kind stands for all its instances.

      With --every rows are summed up, an interval at a time: how many there are, the least, the \
      greatest and the mean of each number, the last of everything else. Intervals begin at \
      multiples of their length in UTC.

      With --plot each number is drawn over time, from the least to the greatest in each column.

      --from and --to take seconds from the first row, or a time such as 2026-06-21T12:00:00Z; \
      --to is not included. Of a recording in several files all are read.

      EXAMPLES
        gathered query walk.gkr
        gathered query walk.gkr accelerometer --from 10 --to 12.5
        gathered query walk.gkr battery/level memory/available --every 60
        gathered query walk.gkr accelerometer/acceleration/x --plot
        gathered query walk.gkr --offset 1000 --limit 50 --json
      """)

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @Flag(help: "Draw numbers over time.")
  var plot = false

  @OptionGroup var part: RecordingPart

  @Option(help: ArgumentHelp("Sum up intervals of so much time.", valueName: "seconds"))
  var every: Seconds?

  @Option(help: ArgumentHelp("Pass over so many rows.", valueName: "n"))
  var offset = 0

  @Option(help: ArgumentHelp("Print so many rows at most.", valueName: "n"))
  var limit: Int?

  func validate() throws {
    if let every, every.nanoseconds <= 0 {
      throw ValidationError("--every takes a number of seconds greater than 0.")
    }
    if offset < 0 || limit ?? 0 < 0 {
      throw ValidationError("--offset and --limit take numbers from 0.")
    }
    if plot, json || every != nil || offset > 0 || limit != nil {
      throw ValidationError("--plot goes with ids, --from and --to alone.")
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
    var query = selection.query
    query.offset = offset
    query.limit = limit ?? .max
    var printer = RecordPrinter(isJSON: json)
    if let every {
      var intervals = try recording.intervals(query, every: every.nanoseconds)
      while let interval = try intervals.next() {
        try printer.print(Record(interval, selection.wanted(of: interval.series)))
      }
    } else {
      var rows = try recording.rows(query)
      var wanted: (series: QueriedSeries, values: [RecordedValue])?
      while let row = try rows.next() {
        if wanted?.series !== row.series { wanted = (row.series, selection.wanted(of: row.series)) }
        try printer.print(Record(row, wanted?.values ?? []))
      }
    }
    try printer.finish()
  }
}
