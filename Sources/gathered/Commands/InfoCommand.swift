import ArgumentParser
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

      EXAMPLES
        gathered info walk.gkr
      """)

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
    try StandardOutput.write(text(of: recording))
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

  private func text(of recording: RecordingParts) -> String {
    var table = Table([
      Table.Column(heading: "ID"), Table.Column(heading: "ROWS", isNumeric: true),
      Table.Column(heading: "BYTES", isNumeric: true), Table.Column(heading: "FROM"),
      Table.Column(heading: "TO"),
    ])
    let all = Dictionary(grouping: recording.blocks, by: \.series)
    for series in recording.series {
      let blocks = all[series.number] ?? []
      let times = [
        blocks.map(\.realtime.lowerBound).min(), blocks.map(\.realtime.upperBound).max(),
      ]
      let counts = [blocks.reduce(0) { $0 + $1.rowCount }, blocks.reduce(0) { $0 + $1.byteCount }]
      table.add(
        [Table.Cell(series.name)] + counts.map { Table.Cell("\($0)") }
          + times.map { Table.Cell($0.map { Value.time($0).formatted() } ?? "") })
    }
    let terminal = Terminal.current
    return table.lines(on: terminal, width: terminal.width).joined(separator: "\n") + "\n"
  }
}
