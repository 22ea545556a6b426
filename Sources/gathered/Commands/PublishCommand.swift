import ArgumentParser
import CommandOptions
import Fleet
import Gathering
import Recording
import Values

/// `gathered publish`: sources to an MQTT broker.
struct PublishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publish sources to an MQTT broker.",
    discussion: """
      Sends the newest reading of the named sources, or of all available ones that are not \
      personal, to a broker, and every reading of fast ones. On any machine, --context mqtt:HOST \
      then has the same sources, with @DEVICE behind each id. Personal values leave the machine \
      only if --allow names their category. It goes on without the broker, and sends what is new \
      when it is back; it ends with Ctrl-C, SIGTERM or --for.

      EXAMPLES
        gathered publish mqtt:broker.local
        gathered publish mqtts:broker.local battery accelerometer --every 10ms --device robot
        gathered watch battery --context mqtt:broker.local
      """)

  @OptionGroup var options: ContextOptions

  @Option(
    help: ArgumentHelp(
      "Time between two updates; each kind has its own default.", valueName: "time"))
  var every: Seconds?

  @Option(
    name: .customLong("for"), help: ArgumentHelp("End after this time.", valueName: "time"))
  var duration: Seconds?

  @Option(
    help: ArgumentHelp(
      "The name of this machine; by default a digest, or the host name with --allow hostname.",
      valueName: "name"))
  var device: String?

  @Option(help: ArgumentHelp("The user of the broker.", valueName: "name"))
  var user: String?

  @Option(
    help: ArgumentHelp("The file with the user's password.", valueName: "file"),
    completion: .file())
  var passwordFile: String?

  @Option(
    name: .customLong("ca"),
    help: ArgumentHelp(
      "The certificates that may vouch for the broker; by default the system's.",
      valueName: "file"), completion: .file())
  var authorities: String?

  @Argument(help: "The broker: mqtt:HOST[:PORT], or mqtts: for an encrypted connection.")
  var broker: String

  @Argument(
    help: ArgumentHelp("Sources to publish.", valueName: "id"),
    completion: Completion.ids.kind)
  var ids: [String] = []

  func validate() throws {
    if let every, every.nanoseconds <= 0 {
      throw ValidationError("--every takes a time above 0, such as 100ms, 2s or 1m.")
    }
  }

  func run() throws {
    let signals = try SignalInbox.open(withTerminal: false)
    try options.withContext(mode: .host) { context in
      var settings = PublisherOptions()
      settings.device = device
      settings.allow = try options.allowance()
      let recorder = try Recorder.publishing(to: try address, from: context, options: settings)
      var session = RecordingSession(recorder, in: context, signals: signals)
      try session.start(ids, every: every?.nanoseconds)
      try session.run(for: duration?.nanoseconds)
    }
  }

  /// The broker, as options tell it besides.
  private var address: FleetAddress {
    get throws {
      var uri = broker
      for (key, value) in [("user", user), ("password_file", passwordFile), ("ca", authorities)] {
        if let value { uri += "&\(key)=\(IdentifierGrammar.encoded(value))" }
      }
      return try FleetAddress(uri)
    }
  }
}
