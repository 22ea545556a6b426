import ArgumentParser
import CommandOptions
import Gathering
import Values

/// `gathered read`: one reading of each source named.
struct ReadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Read sources or single values once.",
    discussion: """
      Prints every value with its unit, or the reason it is missing and what to do about it. On a \
      terminal numbers are rounded and scaled; in a pipe they are exact and in the declared unit. \
      For the id of a property only its value is printed. Without ids everything that is there is \
      read, and values that are missing are left out.

      Rates need two readings: sources with rates are read twice, --over apart.

      The exit code is 1 when a source, or a value given by its id, cannot be read at all; the \
      reason and the remedy are then on standard error. Of a kind that the machine has not, what \
      it would tell and how to try it follow. The other sources are printed normally.

      EXAMPLES
        gathered read
        gathered read memory battery
        gathered read 'network|eth0' --json
        gathered read memory/available
        gathered read device_metadata --allow serial,hostname
      """)

  @OptionGroup var options: ContextOptions

  @Flag(
    help: """
      Print one JSON object per source: {id, time_ns, values: {key: {value, unit, status, reason?, \
      remedy?}}}.
      """)
  var json = false

  @Option(
    help: ArgumentHelp(
      "Time between the two readings of rates; 0 reads once.", valueName: "time"))
  var over = Seconds(nanoseconds: 250_000_000)

  @Argument(
    help: ArgumentHelp("Sources or properties to read; default: all there are.", valueName: "id"),
    completion: Completion.ids.kind)
  var ids: [String] = []

  func run() throws {
    try options.withContext { context in
      let reading = try SingleReading(of: ids, over: over.nanoseconds, in: context)
      var failures = reading.failures
      for (index, selection) in reading.selections.enumerated() {
        if !ids.isEmpty, var failure = selection.failure {
          if !json { failure.details = try Self.preview(of: selection, in: context) }
          failures.append(failure)
        }
        try StandardOutput.write(try text(of: selection, isFirst: index == 0, in: context))
      }
      if ids.isEmpty { try writeRest(in: context) }
      for failure in failures { failure.report() }
      if !failures.isEmpty {
        throw CommandFailure("", exitCode: failures.map(\.exitCode).max() ?? 1)
      }
    }
  }

  /// Tells people what was left out.
  private func writeRest(in context: Context) throws {
    let terminal = Terminal.current
    let rest = terminal.isInteractive && !json ? try Overview.rest(in: context) : ""
    if !rest.isEmpty { try StandardOutput.write("\n\(terminal.styled(rest, .dimmed))\n") }
  }

  /// What a source would tell, if the machine has none of its kind.
  private static func preview(of selection: Selection, in context: Context) throws -> [String] {
    let kind = selection.source.kind
    guard selection.source.availability.group == .unavailable,
      try context.sources(of: kind.kind).isEmpty
    else { return [] }
    return KindText(.dictionary(kind.dictionary)).preview(of: selection.path?.first)
  }

  private func text(of selection: Selection, isFirst: Bool, in context: Context) throws -> String {
    if json { return try selection.record(in: context).json() + "\n" }
    let fields = selection.fields(of: selection.source.allValues).filter {
      !ids.isEmpty || $0.hasPayload
    }
    let terminal = Terminal.current
    if selection.path != nil {
      return fields.filter(\.hasPayload).map { $0.text(on: terminal) + "\n" }.joined()
    }
    // The reason for a missing source is printed once, and not for each value.
    if !fields.contains(where: \.hasPayload), selection.source.availability.group != .available {
      return ""
    }
    let source = selection.source
    let title = "\(source.id.description.printable)  \(source.label.printable)"
    let width = fields.map(\.key.columnWidth).max() ?? 0
    let lines = fields.map { "  \($0.key.padded(to: width))  \($0.styledText(on: terminal))" }
    return (isFirst ? "" : "\n") + terminal.styled(title, .heading) + "\n"
      + lines.joined(separator: "\n") + "\n"
  }
}
