import ArgumentParser
import Gathering
import Glibc
import Recording
import Values

/// `gathered export`: a recording as a text that other programs read.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a recording as CSV or JSON lines.",
    discussion: """
      The ending of the file written says which, .csv or .jsonl, unless --format does. A CSV file \
      of one source has a column a property; of several sources it has a line a value: time, \
      source, property, value, status. JSON lines are what 'gathered read --json' prints, events \
      included. A file is there whole or not at all; Ctrl-C leaves none behind.

      Parquet, MCAP and data frames are for Python: gatheredkit.export(recording, file).

      EXAMPLES
        gathered export walk.gkr walk.jsonl
        gathered export walk.gkr shake.csv accelerometer
        gathered export walk.gkr values.csv battery memory --overwrite
      """)

  /// What is written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case csv, jsonl
  }

  @Option(help: "csv or jsonl; default: the ending of the file.")
  var format: Format?

  @Flag(help: "Replace a file that is there.")
  var overwrite = false

  @Argument(help: "The recording.")
  var file: String

  @Argument(help: "The file to write.")
  var target: String

  @Argument(help: ArgumentHelp("Sources and streams of it; default: all.", valueName: "id"))
  var ids: [String] = []

  func run() throws {
    let recording = try RecordingParts.open(file)
    let signals = try SignalInbox.open(withTerminal: false)
    var progress = ProgressBar("writing")
    let isWhole: Bool
    do throws(SourceError) {
      let tables = try tables(of: recording)
      let format = try textFormat(for: tables.count)
      isWhole = try TextExport.write(tables, as: format, to: target, replacing: overwrite) {
        progress.show($0.rows, of: $0.allRows)
        return !signals.takeAll().contains(where: SignalInbox.ending.contains)
      }
      progress.clear()
    } catch .io(EEXIST, _) {
      throw CommandFailure("\(target) is there already", remedy: "replace it with --overwrite")
    } catch {
      progress.clear()
      throw CommandFailure(error)
    }
    if !isWhole { throw CommandFailure("\(target) was given up; nothing is left of it") }
    recording.report()
  }

  private func tables(of recording: RecordingParts) throws(SourceError) -> [RecordedTable] {
    if ids.isEmpty { return try RecordedTable.all(of: recording) }
    var tables: [RecordedTable] = []
    for id in ids { tables.append(try RecordedTable(id, of: recording)) }
    return tables
  }

  private func textFormat(for count: Int) throws(SourceError) -> TextFormat {
    let ending = target.split(separator: ".").last.map(String.init) ?? ""
    switch format ?? Format(rawValue: ending) {
    case .csv: return .csv(count == 1 ? .wide : .long)
    case .jsonl: return .jsonLines
    case nil:
      throw .invalidArgument(
        "\(target): .csv and .jsonl are known endings; --format says it otherwise")
    }
  }
}
