import ArgumentParser
import CommandOptions
import Gathering
import Values

/// `gathered watch`: values as they change.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Watch sources as their values change.",
    discussion: """
      On a terminal it takes the whole screen: each source has a box with its values, bars for \
      parts of a whole, curves for numbers; a compass and the attitude of a device are drawn. What \
      changes stands out for a moment. Keys choose, scroll, filter and sort: ? lists them, q ends.

      In a pipe each reading is one line, 'time id key=value …': numbers are exact and followed \
      directly by their unit, texts quoted if necessary, a missing value is !STATUS. The first \
      line of a source has all values, the others those that changed; with --all all of them. With \
      --json each line is one JSON object, as 'gathered read --json' prints it; an event is an \
      object with 'event' instead of 'values'.

      Without ids all available sources are watched, and instances plugged in later are added. A \
      named source that disappears stays in the output, with the reason, until it returns.

      A watch ends with exit code 0 after Ctrl-C, SIGTERM, --count or --for, and when its output \
      pipe is closed. It ends with 1 when nothing could be started or a source failed.

      EXAMPLES
        gathered watch
        gathered watch cpu memory --every 500ms
        gathered watch 'network|eth0' --json --count 10
        gathered watch battery/level --for 1h >> battery.log
        gathered watch accelerometer --every 10ms --context ip:pi.local
        gathered watch --context 'sim:laptop&clock=manual' --for 1m   one simulated minute
      """)

  @OptionGroup var options: ContextOptions

  @Flag(help: "Print one JSON object per line, also on a terminal.")
  var json = false

  @Flag(help: "Print every value of every reading, not only what changed.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Time between two updates; each kind has its own default.", valueName: "time"))
  var every: Seconds?

  @Option(help: ArgumentHelp("End after this many readings of each source.", valueName: "n"))
  var count: Int?

  @Option(
    name: .customLong("for"), help: ArgumentHelp("End after this time.", valueName: "time"))
  var duration: Seconds?

  @Argument(
    help: ArgumentHelp("Sources or properties to watch.", valueName: "id"),
    completion: Completion.ids.kind)
  var ids: [String] = []

  func validate() throws {
    if let every, every.nanoseconds <= 0 {
      throw ValidationError("--every takes a time above 0, such as 100ms, 2s or 1m.")
    }
    if let count, count < 1 { throw ValidationError("--count takes a number from 1.") }
  }

  func run() throws {
    let terminal = Terminal.current
    let isLive = terminal.isInteractive && !json
    let signals = try SignalInbox.open(withTerminal: isLive)
    let context = try signals.interrupting { try options.open(mode: .host) }
    // Outside of callbacks a close cannot fail.
    defer { try? context.close() }
    let keyboard = isLive ? Keyboard() : nil
    let display: any WatchDisplay =
      isLive
      ? WatchScreen(
        context.uri, on: terminal, isDashboard: ids.isEmpty, hasKeys: keyboard != nil,
        clock: { [context] in context.now })
      : LineDisplay(isJSON: json, showsAll: all)
    let limits = Watch.Limits(
      interval: every?.nanoseconds, count: count, duration: duration?.nanoseconds)
    var watch = try Watch(
      ids, in: context, until: limits, signals: signals, on: display, keyboard: keyboard)
    try watch.run()
  }
}
