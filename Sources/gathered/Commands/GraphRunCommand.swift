import ArgumentParser
import Gathering
import Glibc
import Ground
import Patches
import Values

/// `gathered graph run`: what a graph's outputs publish.
struct GraphRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a graph and print what it publishes.",
    discussion: """
      Each value that an offered output publishes is one line, 'time name=value': numbers exact, \
      texts quoted where they need it, !STATUS where a value is missing. With --json it is one \
      JSON object: {name, time_ns, value, status, reason?, remedy?}. What 'log' patches write, and \
      what goes wrong in a patch, is on standard error, an error that repeats with its number at \
      the end.

      Sources are started when the graph needs them and stopped at its end. A document with \
      problems starts nothing: all of them are told, as 'gathered graph check' does.

      A run ends with exit code 0 after Ctrl-C, SIGTERM, --count or --for, and when the reader \
      of its output goes away. It ends with 1 when the document cannot be loaded, or when there \
      are sources in it and none of them can be used.

      EXAMPLES
        gathered graph run alarms.json
        gathered graph run tap.json --json --count 1
        gathered graph run light.json --context 'sim:phone&clock=manual' --for 60
      """)

  @OptionGroup var options: ContextOptions

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @Option(
    help: ArgumentHelp("End after so many values, of whichever outputs.", valueName: "n"))
  var count: Int?

  @Option(
    name: .customLong("for"), help: ArgumentHelp("End after so much time.", valueName: "seconds"))
  var duration: Seconds?

  @Argument(help: "The document; - is standard input.")
  var file: String

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count takes a number from 1.") }
  }

  func run() throws {
    let document = try DocumentFile(at: file)
    let signals = try SignalInbox.open(withTerminal: false)
    Log.setReceiver { level, part, text in
      guard part == "patch" else { return }
      StandardError.write("\(level.word): \(text.printable)\n")
    }
    try options.withContext(mode: .host) { context in
      // A recording stands still until the whole graph is there: every run of it is the same.
      let isReplay = context.rate != nil
      if isReplay { try context.setRate(0) }
      let graph = try document.load(in: context)
      if graph.patch.outputNames.isEmpty {
        CommandFailure("\(document.name) offers no outputs: what it publishes is not shown")
          .report()
      }
      let limits = GraphRun.Limits(count: count, duration: duration?.nanoseconds)
      var run = try GraphRun(graph, in: context, until: limits, signals: signals, isJSON: json)
      if isReplay { try context.setRate(isatty(STDOUT_FILENO) == 1 ? 1 : .infinity) }
      try run.run()
    }
  }
}
