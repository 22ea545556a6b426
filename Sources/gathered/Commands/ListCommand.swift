import ArgumentParser
import CommandOptions
import Gathering
import Ground
import Values

/// `gathered list`: the instances that are there, and whether they can be used.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the sources of the machine, without starting any.",
    discussion: """
      Prints one line per source: its id, its name, and whether it can be used now. For a source \
      that cannot be used the reason follows, and below it what to do about it. Starts, wakes and \
      scans nothing.

      EXAMPLES
        gathered list
        gathered list storage
        gathered list --json | jq -r '.[].id'
        gathered list --context sim:phone
      """)

  @OptionGroup var options: ContextOptions

  @Flag(help: "Print one JSON array of objects with id, kind, name, label, availability and more.")
  var json = false

  @Argument(help: "List the sources of this kind only.", completion: Completion.kinds.kind)
  var kind: String?

  func run() throws {
    try options.withContext { context in
      let sources = try context.sources(of: kind)
      if json {
        let rows = sources.map { Value.dictionary($0.dictionary()) }
        return try StandardOutput.write(rows.jsonRows())
      }
      if !sources.isEmpty { try StandardOutput.write(Self.text(sources, on: .current)) }
      if let kind, sources.isEmpty {
        // An empty list is an answer; why it is empty is worth a word.
        CommandFailure(try context.open(kind).availability, of: kind).report()
      }
    }
  }

  private static func text(_ sources: [SourceDescription], on terminal: Terminal) -> String {
    var table = Table([
      Table.Column(heading: "ID"), Table.Column(heading: "NAME"), Table.Column(heading: "STATE"),
      Table.Column(heading: "DETAIL"),
    ])
    for source in sources {
      let availability = source.availability
      table.add([
        Table.Cell(source.id.description), Table.Cell(source.label),
        Table.Cell(availability.state.rawValue, availability.style),
        Table.Cell(availability.detail, .dimmed),
      ])
      if !availability.remedy.isEmpty {
        table.addNote(Table.Cell("remedy: \(availability.remedy)", .dimmed), below: 2)
      }
    }
    return table.lines(on: terminal, width: terminal.width).joined(separator: "\n") + "\n"
  }
}

extension Availability {
  /// How the state stands out.
  var style: Style {
    switch group {
    case .available: .good
    case .requiresPermissionsPrompt, .permissionDenied, .restricted: .warning
    case .unavailable: state == .failed ? .bad : .dimmed
    }
  }
}
