import ArgumentParser
import CommandOptions
import Gathering
import Glibc
import Ground
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
      if ids.isEmpty { return try readEverything(in: context) }
      var failures: [CommandFailure] = []
      var selections: [Selection] = []
      for id in ids {
        do {
          selections.append(try Selection(id, in: context))
        } catch {
          failures.append(try Self.bearable(error, about: id))
        }
      }
      try readAll(selections, in: context)
      for (index, selection) in selections.enumerated() {
        if var failure = Self.failure(of: selection) {
          if !json { failure.details = try Self.preview(of: selection, in: context) }
          failures.append(failure)
        }
        try StandardOutput.write(try text(of: selection, isFirst: index == 0, in: context))
      }
      for failure in failures { failure.report() }
      if !failures.isEmpty {
        throw CommandFailure("", exitCode: failures.map(\.exitCode).max() ?? 1)
      }
    }
  }

  /// Prints what there is; a source that fails is left to the doctor.
  private func readEverything(in context: Context) throws {
    let selections = try Overview.selections(in: context)
    try readAll(selections, in: context)
    let whole = selections.filter { selection in
      selection.fields(of: selection.source.allValues).contains(where: \.hasPayload)
    }
    for (index, selection) in whole.enumerated() {
      try StandardOutput.write(try text(of: selection, isFirst: index == 0, in: context))
    }
    let terminal = Terminal.current
    let rest = terminal.isInteractive && !json ? try Overview.rest(in: context) : ""
    if !rest.isEmpty { try StandardOutput.write("\n\(terminal.styled(rest, .dimmed))\n") }
  }

  /// Reads all sources, and those with rates once more after a while.
  private func readAll(_ selections: [Selection], in context: Context) throws {
    for selection in selections {
      do throws(SourceError) {
        try selection.source.updateValues()
      } catch {
        // Without ids a source that fails costs no other.
        if !ids.isEmpty { throw error }
      }
    }
    let rates = selections.filter { selection in
      let samples = selection.source.allValues
      return selection.source.kind.spans.contains { rule in
        samples.indices.contains(rule.property) && samples[rule.property].status == .noData
      }
    }
    guard !rates.isEmpty, over.nanoseconds > 0 else { return }
    if let position = context.position, context.rate == nil {
      try context.seek(to: position + over.nanoseconds)
    } else {
      usleep(UInt32(clamping: over.nanoseconds / 1000))
    }
    for selection in rates { try selection.source.updateValues() }
  }

  /// The failure of one source; an error in the command line is thrown.
  private static func bearable(_ error: any Error, about id: String) throws -> CommandFailure {
    switch error {
    case let failure as CommandFailure where failure.exitCode == 1: return failure
    case let error as SourceError: return CommandFailure(error)
    default: throw error
    }
  }

  /// Why a selection gave nothing at all, if so.
  private static func failure(of selection: Selection) -> CommandFailure? {
    let source = selection.source
    let fields = selection.fields(of: source.allValues)
    if fields.contains(where: \.hasPayload) { return nil }
    let availability = source.availability
    if availability.group != .available { return CommandFailure(availability, of: selection.text) }
    guard let field = fields.first else {
      return CommandFailure("\(selection.text): there are no values")
    }
    return CommandFailure(
      "\(selection.text): \(field.sample.status.word): \(field.sample.absence?.reason ?? "")",
      remedy: field.sample.absence?.remedy ?? "")
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
    let samples = selection.source.allValues
    if json {
      let newest = samples.map(\.realtime).max() ?? 0
      let time = newest > 0 ? newest : context.now.realtime
      return try Record(selection, samples, time: time).json() + "\n"
    }
    let fields = selection.fields(of: samples).filter { !ids.isEmpty || $0.hasPayload }
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
