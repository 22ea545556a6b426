import ArgumentParser
import CommandOptions
import Gathering
import Recording
import Values

/// `gathered replay`: a recording, played.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Play a recording.",
    discussion: """
      Shows the sources of a recording as 'gathered watch' shows those of a machine, at the \
      recorded speed or another. Other commands play a recording with --context replay:FILE.

      Keys on a terminal: space pauses and continues, the left and right arrows jump by 5 seconds, \
      . advances by one step, + and - change the rate, q quits, ? lists the others. In a pipe, and \
      with --rate inf, a recording is played as fast as its output can be written.

      EXAMPLES
        gathered replay walk.gkr
        gathered replay walk.gkr accelerometer --rate 10
        gathered replay walk.gkr --from 60 --rate inf --json | jq .
      """)

  @Flag(help: "Print one JSON object per line, also on a terminal.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Speed: 1 as recorded, inf as fast as possible; default: 1 on a terminal, else inf."))
  var rate: Double?

  @Option(help: ArgumentHelp("Begin at this time.", valueName: "moment"))
  var from: RecordedMoment?

  @Argument(help: "The recording.", completion: .recording)
  var file: String

  @Argument(
    help: ArgumentHelp("Sources or properties to watch.", valueName: "id"),
    completion: Completion.ids.kind)
  var ids: [String] = []

  func validate() throws {
    if let rate, !(rate > 0) { throw ValidationError("--rate takes a number greater than 0.") }
  }

  func run() throws {
    let terminal = Terminal.current
    let isLive = terminal.isInteractive && !json
    let signals = try SignalInbox.open(withTerminal: isLive)
    let context = try signals.interrupting { try open() }
    // Outside of callbacks a close cannot fail.
    defer { try? context.close() }
    try context.setRate(rate ?? (isLive ? 1 : .infinity))
    try start(context)
    let keyboard = isLive ? Keyboard() : nil
    let controls = ReplayControls(context)
    let display: any WatchDisplay =
      isLive
      ? WatchScreen(
        file, on: terminal, isDashboard: ids.isEmpty, hasKeys: keyboard != nil,
        clock: { [context] in context.now }, controls: controls)
      : LineDisplay(isJSON: json, showsAll: true)
    var watch = try signals.interrupting {
      try Watch(
        ids, in: context, until: Watch.Limits(), signals: signals, on: display,
        keyboard: keyboard, controls: controls)
    }
    try watch.run()
  }

  private func open() throws -> Context {
    do throws(SourceError) {
      return try Context.replay(try Replay(file), uri: file, mode: .host)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Moves to the start position.
  private func start(_ context: Context) throws(SourceError) {
    guard let from, let span = try RecordingParts(file).realtime else { return }
    try context.seek(to: min(from.offset(in: span), context.duration ?? .max))
  }
}
