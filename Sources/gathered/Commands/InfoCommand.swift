import ArgumentParser
import CommandOptions
import Gathering
import Ground
import Recording
import Values

/// `gathered info`: describes a recording.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Describe a recording.",
    discussion: """
      Lists the series of a recording with their number of rows and their first and last time. The \
      whole file is read and checked. Damaged parts are reported on standard error with their byte \
      range in the file, and the exit code is 1.

      With --json it prints one object, as 'gathered serve' does of a recording: {name, size, \
      from, to, rows, lost, sources, series, problems}. Times are texts of nanoseconds since 1970.

      EXAMPLES
        gathered info walk.gkr
        gathered info walk.gkr --json
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  @Argument(help: "The file.", completion: .recording)
  var file: String

  func run() throws {
    let recording = try RecordingParts.open(file)
    let tail: Int
    do throws(SourceError) {
      try verify(recording)
      tail = try recording.tail()
    } catch {
      throw CommandFailure(error)
    }
    try StandardOutput.write(json ? object(of: recording, tail) : text(of: recording))
    recording.report()
    if tail > 0 { CommandFailure("the last \(tail) bytes are an unfinished block").report() }
    if tail > 0 || !recording.problems.isEmpty {
      throw CommandFailure(
        "\(file) is damaged; the rest can be read", remedy: "run gathered repair \(file)")
    }
  }

  /// Reads everything, so that all problems of the recording are found.
  private func verify(_ recording: RecordingParts) throws(SourceError) {
    let blocks = recording.blocks
    let all = blocks.reduce(0) { $0 + $1.byteCount }
    var done = 0
    var progress = ProgressBar("reading")
    defer { progress.clear() }
    for block in blocks {
      do throws(SourceError) {
        _ = try recording.rows(of: block)
      } catch .parse {
        // It is one of the problems now.
      }
      done += block.byteCount
      progress.show(done, of: all)
    }
  }

  private func object(of recording: RecordingParts, _ tail: Int) throws -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let facts = RecordingFacts(recording).dictionary(named: name, tail: tail)
    return try Value.dictionary(facts).json() + "\n"
  }

  private func text(of recording: RecordingParts) -> String {
    let terminal = Terminal.current
    let isForPeople = terminal.isInteractive
    let size = Property("size", .int, unit: isForPeople ? "By" : nil, .static)
    let moment = Property("moment", .time, .static)
    let style: ValueStyle = isForPeople ? .people : .machine
    var table = Table([
      Table.Column(heading: "ID"), Table.Column(heading: "ROWS", isNumeric: true),
      Table.Column(heading: isForPeople ? "SIZE" : "BYTES", isNumeric: true),
      Table.Column(heading: "FROM"), Table.Column(heading: "TO"),
    ])
    let all = Dictionary(grouping: recording.blocks, by: \.series)
    for series in recording.series {
      let blocks = all[series.number] ?? []
      let times = [
        blocks.map(\.realtime.lowerBound).min(), blocks.map(\.realtime.upperBound).max(),
      ]
      let bytes = blocks.reduce(0) { $0 + $1.byteCount }
      table.add(
        [
          Table.Cell(series.name), Table.Cell("\(blocks.reduce(0) { $0 + $1.rowCount })"),
          Table.Cell(size.format(.int(Int64(bytes)), style)),
        ] + times.map { Table.Cell($0.map { moment.format(.time($0), style) } ?? "") })
    }
    return table.lines(on: terminal, width: terminal.width).joined(separator: "\n") + "\n"
  }
}
