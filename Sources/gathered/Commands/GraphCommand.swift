import ArgumentParser

/// `gathered graph`: what can be done with the document of a graph.
struct GraphCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Run, check and draw graphs of patches.",
    discussion: """
      A graph is a JSON document of small boxes wired to each other: sources of the machine, \
      filters, decisions, the log. It is the same document that the library loads in C, Python \
      and Swift.

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
