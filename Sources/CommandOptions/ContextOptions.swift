package import ArgumentParser
import GatheredKit
package import Gathering

/// The common options: the machine to read, and the personal values to show.
package struct ContextOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The machine to read.",
      discussion: """
        local: is this computer; local:root=DIR a captured tree; ip:HOST the sensors of another \
        machine, through its iiod; mqtt:HOST the machines that publish to a broker; replay:FILE a \
        recording; sim:laptop and sim:phone are simulated; sim:file=FILE runs a script. With \
        &clock=manual the time of a tree or a simulation runs as fast as possible.
        """,
      valueName: "uri"),
    completion: Completion.contexts.kind)
  package var context = "local:"

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Personal values to show.",
      discussion: """
        Categories separated by commas, or all: location, microphone, ssid, mac, serial, \
        hostname, cell_id, bluetooth_discovery, activity. Without its category a personal value \
        is withheld.
        """,
      valueName: "categories"),
    completion: Completion.categories.kind)
  package var allow: [String] = []

  /// Nothing is set yet.
  package init() {}

  /// The personal categories to show.
  package func allowance() throws(SourceError) -> Allowance {
    try Allowance(parsing: allow.joined(separator: ","))
  }

  /// Opens the context.
  package func open(mode: Context.Mode = .thread) throws(SourceError) -> Context {
    try Context.open(context, allow: allowance(), mode: mode)
  }

  /// Opens the context, calls a body with it and closes it in every case.
  package func withContext<Answer>(
    mode: Context.Mode = .thread, _ body: (Context) throws -> Answer
  ) throws -> Answer {
    let context = try open(mode: mode)
    // Outside of callbacks a close cannot fail.
    defer { try? context.close() }
    return try body(context)
  }
}
