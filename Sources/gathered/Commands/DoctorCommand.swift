import ArgumentParser
import CommandOptions
import Gathering
import Values

/// `gathered doctor`: every kind, instance, reason and remedy, and every mechanism.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Report what works, what does not, why, and how to fix it.",
    discussion: """
      Lists every kind in catalogue order with its instances: the state, the backend, the detail \
      and the remedy; then every mechanism and library with its version or the reason it is \
      missing, and copies of libgatheredkit that hide each other. Starts, wakes and scans \
      nothing, and shows nothing personal.

      The exit code is 0 whatever is missing, and 1 only if the machine could not be examined.

      EXAMPLES
        gathered doctor
        gathered doctor --json | jq '.kinds[] | select(.remedy != "") | {kind, remedy}'
      """)

  @OptionGroup var options: ContextOptions

  @Flag(help: "Print the same as one JSON object: version, kinds, mechanisms.")
  var json = false

  func run() throws {
    try options.withContext { context in
      let report = try context.doctorReport()
      if json { return try StandardOutput.write(Value.dictionary(report).json() + "\n") }
      let lines =
        ["gathered \(report.text("version")), \(context.uri.printable)", ""]
        + Self.kinds(report).lines(on: .current, width: Terminal.current.width) + [""]
        + Self.mechanisms(report).lines(on: .current, width: Terminal.current.width)
      try StandardOutput.write(lines.joined(separator: "\n") + "\n")
    }
  }

  private static func kinds(_ report: ValueDictionary) -> Table {
    var table = Table([
      Table.Column(heading: "KIND"), Table.Column(heading: "STATE"),
      Table.Column(heading: "BACKEND"), Table.Column(heading: "DETAIL"),
    ])
    for kind in report.rows("kinds") {
      let instances = kind.rows("instances")
      add(kind, named: kind.text("kind"), style: .heading, withNote: instances.isEmpty, to: &table)
      for instance in instances {
        add(
          instance, named: "  " + instance.text("id"), style: .plain, withNote: true, to: &table)
      }
    }
    return table
  }

  /// A row for a kind or an instance. A kind with instances repeats its default instance, so the
  /// remedy is left to that.
  private static func add(
    _ row: ValueDictionary, named name: String, style: Style, withNote: Bool, to table: inout Table
  ) {
    let state = Availability.State(rawValue: row.text("reason")) ?? .failed
    let errno = row["errno"]?.number ?? 0
    let detail = row.text("detail") + (errno == 0 ? "" : " (errno \(Int(errno)))")
    table.add([
      Table.Cell(name, style), Table.Cell(state.rawValue, Availability(state).style),
      Table.Cell(row.text("backend")), Table.Cell(withNote ? detail : "", .dimmed),
    ])
    if withNote, !row.text("remedy").isEmpty {
      table.addNote(Table.Cell("remedy: \(row.text("remedy"))", .warning), below: 1)
    }
  }

  private static func mechanisms(_ report: ValueDictionary) -> Table {
    var table = Table([
      Table.Column(heading: "MECHANISM"), Table.Column(heading: "VERSION"),
      Table.Column(heading: "REASON"),
    ])
    for row in report.rows("mechanisms") {
      let version = row.text("version")
      table.add([
        Table.Cell(row.text("name"), .heading),
        version.isEmpty ? Table.Cell("missing", .warning) : Table.Cell(version, .good),
        Table.Cell(row.text("reason"), .dimmed),
      ])
      if !row.text("remedy").isEmpty {
        table.addNote(Table.Cell("remedy: \(row.text("remedy"))", .warning), below: 1)
      }
    }
    return table
  }
}
