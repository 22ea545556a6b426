import ArgumentParser
import CommandOptions
import Gathering
import Glibc
import Ground
import Patches
import Values

/// `gathered graph run`: prints the values of a graph's outputs.
struct GraphRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a graph and print the values of its outputs.",
    discussion: """
      Prints one line per value of an offered output, 'time name=value': numbers are exact, texts \
      quoted if necessary, a missing value is !STATUS. With --json it prints one JSON object: \
      {name, time_ns, value, status, reason?, remedy?}. The lines of 'log' patches and the errors \
      of all patches are on standard error; a repeated error appears once, and at the end with \
      its count.

      The run starts the sources the graph needs and stops them at its end. If the document has \
      problems nothing is started, and all problems are listed as by 'gathered graph check'.

      A run ends with exit code 0 after Ctrl-C, SIGTERM, --count or --for, and when its output \
      pipe is closed. It ends with 1 when the document cannot be loaded, or when it has sources \
      and none of them can be used.

      EXAMPLES
        gathered graph run alarms.json
        gathered graph run tap.json --json --count 1
        gathered graph run light.json --context 'sim:phone&clock=manual' --for 1m
      """)

  @OptionGroup var options: ContextOptions

  @Flag(help: "Print one JSON object per line.")
  var json = false

  @Option(
    help: ArgumentHelp("End after this many values, of all outputs together.", valueName: "n"))
  var count: Int?

  @Option(
    name: .customLong("for"), help: ArgumentHelp("End after this time.", valueName: "time"))
  var duration: Seconds?

  @Argument(help: "The document; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count takes a number from 1.") }
  }

  func run() throws {
    let document = try DocumentFile.named(file)
    let signals = try SignalInbox.open(withTerminal: false)
    Log.setReceiver { level, part, text in
      guard part == "patch" else { return }
      StandardError.write("\(level.word): \(text.printable)\n")
    }
    try options.withContext(mode: .host) { context in
      // A recording stands still until the whole graph is built, so that every run of it is the
      // same.
      let isReplay = context.rate != nil
      if isReplay { try context.setRate(0) }
      let graph = try document.load(in: context)
      if graph.patch.outputNames.isEmpty {
        CommandFailure("\(document.name) offers no outputs, so no values are printed")
          .report()
      }
      let limits = GraphRun.Limits(count: count, duration: duration?.nanoseconds)
      var run = try GraphRun(graph, in: context, until: limits, signals: signals, isJSON: json)
      if isReplay { try context.setRate(isatty(STDOUT_FILENO) == 1 ? 1 : .infinity) }
      try run.run()
    }
  }
}
