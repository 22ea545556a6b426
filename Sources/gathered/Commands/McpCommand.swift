import ArgumentParser
import CommandOptions
import Gathering

/// `gathered mcp`: the same JSON for assistants.
struct McpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Answer an assistant over standard input and output.",
    discussion: """
      Speaks the Model Context Protocol: programs with an assistant start it and ask. Its tools \
      are list, read, explain, doctor, kinds, watch, query and graph_check. All of them only \
      read. Their answers are the JSON of the other commands, at most 32 kB of it, and say what \
      was left out and what was withheld.

      Which machine is read and which personal values are shown is decided by --context and \
      --allow when it is started, and by nothing an assistant says. The tool query reads the \
      recordings that --recordings names, and no other file. Texts of devices are marked as data.

      It ends with exit code 0 when its input ends, and after Ctrl-C and SIGTERM.

      EXAMPLES
        gathered mcp
        gathered mcp --context sim:laptop
        gathered mcp --allow ssid,hostname --recordings ~/recordings
      """)

  @OptionGroup var options: ContextOptions

  @Option(
    help: ArgumentHelp(
      "A recording the tool query may read, or a folder of them; may be given several times.",
      valueName: "path"),
    completion: .file(extensions: ["gkr"]))
  var recordings: [String] = []

  func run() throws {
    let signals = try SignalInbox.open(withTerminal: false)
    let grant = AssistantGrant(
      uri: options.context, allowance: try options.allowance(),
      recordings: try OfferedRecordings(recordings))
    // What is wrong with the context is told now, not at the first question.
    try signals.interrupting { try options.withContext { _ in } }
    var session = try AssistantSession(grant, signals: signals)
    try session.run()
  }
}
