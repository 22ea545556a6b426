import ArgumentParser
import CommandOptions
import Gathering
import SourceKinds
import Values

/// `gathered kinds`: what there can be, whether this machine has it or not.
struct KindsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kinds",
    abstract: "Describe the kinds of sources and their properties.",
    discussion: """
      Prints one line per kind. For one kind it prints what its values mean, in which units and \
      ranges, when they change, which of them are personal, and where they come from: a kernel \
      file, a member of an interface, or a formula. It looks at no machine, so it also describes \
      what this one has not.

      EXAMPLES
        gathered kinds
        gathered kinds battery
        gathered kinds --json | jq -r '.[].kind'
      """)

  @Flag(
    help: """
      Print one JSON array of objects with kind, name, meaning, origin, instances, properties and \
      more.
      """)
  var json = false

  @Argument(help: "Describe this kind only, in full.", completion: Completion.kinds.kind)
  var kind: String?

  func run() throws {
    let rows = try SourceCatalogue.description(of: kind)
    if json { return try StandardOutput.write(rows.jsonRows()) }
    let terminal = Terminal.current
    let lines =
      kind == nil
      ? Self.overview(rows, on: terminal)
      : rows.flatMap { KindText($0).lines(on: terminal, width: terminal.width) }
    try StandardOutput.write(lines.joined(separator: "\n") + "\n")
  }

  private static func overview(_ rows: [Value], on terminal: Terminal) -> [String] {
    var table = Table([
      Table.Column(heading: "KIND"), Table.Column(heading: "NAME"),
      Table.Column(heading: "MEANING"),
    ])
    for row in rows.map(KindText.init) {
      table.add([
        Table.Cell(row.text("kind"), .heading), Table.Cell(row.text("name")),
        Table.Cell(row.text("meaning"), .dimmed),
      ])
    }
    return table.lines(on: terminal, width: terminal.width)
  }
}
