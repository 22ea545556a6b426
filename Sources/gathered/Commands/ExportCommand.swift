import ArgumentParser
import CommandOptions
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
      The extension of the output file selects the format, .csv or .jsonl, unless --format does. A \
      CSV file of one source has one column per property; of several sources one line per value: \
      time, source, property, value, status. JSON lines have the objects of 'gathered read --json' \
      and one object per event. The file is written completely or not at all; Ctrl-C leaves none.

      In Python gatheredkit.export(recording, file) also writes Parquet and MCAP, and there are \
      data frames.

      EXAMPLES
        gathered export walk.gkr walk.jsonl
        gathered export walk.gkr shake.csv accelerometer
        gathered export walk.gkr values.csv battery memory --overwrite
      """)

  /// The output format.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case csv, jsonl
  }

  @Option(help: "csv or jsonl; default: the extension of the file.")
  var format: Format?

  @Flag(help: "Replace an existing file.")
  var overwrite = false

  @Argument(help: "The recording.", completion: .recording)
  var file: String

  @Argument(help: "The file to write.")
  var target: String

  @Argument(
    help: ArgumentHelp("Sources and streams to export; default: all.", valueName: "id"),
    completion: Completion.ids.kind)
  var ids: [String] = []

  func run() throws {
    let recording = try RecordingParts.open(file)
    let signals = try SignalInbox.open(withTerminal: false)
    var progress = ProgressBar("writing")
    let isWhole: Bool
    let tables = try tables(of: recording)
    do throws(SourceError) {
      let format = try textFormat(for: tables.count)
      isWhole = try TextExport.write(tables, as: format, to: target, replacing: overwrite) {
        progress.show($0.rows, of: $0.allRows)
        return !signals.takeAll().contains(where: SignalInbox.ending.contains)
      }
      progress.clear()
    } catch .io(EEXIST, _) {
      throw CommandFailure("\(target) exists already", remedy: "replace it with --overwrite")
    } catch {
      progress.clear()
      throw CommandFailure(error)
    }
    if !isWhole { throw CommandFailure("\(target): the export was cancelled and removed") }
    recording.report()
  }

  private func tables(of recording: RecordingParts) throws -> [RecordedTable] {
    if ids.isEmpty { return try RecordedTable.all(of: recording) }
    return try ids.map { id in
      let (name, path) = try RecordedSelection.parse(id, in: recording)
      if !path.isEmpty {
        throw CommandFailure(
          "\(id) is one property, and sources are exported whole",
          remedy: "some properties are printed by gathered query --json")
      }
      return try RecordedTable(name, of: recording)
    }
  }

  private func textFormat(for count: Int) throws(SourceError) -> TextFormat {
    let ending = target.split(separator: ".").last.map(String.init) ?? ""
    switch format ?? Format(rawValue: ending) {
    case .csv: return .csv(count == 1 ? .wide : .long)
    case .jsonl: return .jsonLines
    case nil:
      throw .invalidArgument(
        "\(target): the known extensions are .csv and .jsonl; for others use --format")
    }
  }
}
