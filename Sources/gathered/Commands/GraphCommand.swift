import ArgumentParser

/// `gathered graph`: the commands for documents of graphs.
struct GraphCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Run, check and draw graphs of patches.",
    discussion: """
      A graph is a JSON document of patches wired to each other: sources of the machine, filters, \
      decisions, the log. The library loads the same document in C, Python and Swift.

      EXAMPLES
        gathered graph run alarms.json
        gathered graph check - < alarms.json
        gathered graph draw alarms.json | dot -Tsvg > alarms.svg
        gathered graph types
      """,
    subcommands: [
      GraphRunCommand.self, GraphCheckCommand.self, GraphDrawCommand.self, GraphTypesCommand.self,
    ])
}
