import ArgumentParser
import CommandOptions
import Fleet
import Gathering
import Recording
import SourceKinds
import Values

/// `gathered publish`: sources and graph outputs to an MQTT broker.
struct PublishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publish sources to an MQTT broker.",
    discussion: """
      Sends the newest reading of the named sources to a broker, and every reading of fast ones. \
      Without names it takes all available sources that are not personal, and each that comes \
      later; an aggregate stands for its members. On any machine, --context mqtt:HOST then has \
      the same sources, with @DEVICE behind each id. Personal values leave the machine only if \
      --allow names their category.

      It goes on without the broker, and sends what is new when it is back; with --spool also what \
      came between. It ends with exit code 0 after Ctrl-C, SIGTERM or --for, with 1 when nothing \
      could be started or rows were lost. If standard error is a terminal, it shows how the broker \
      is reached, at what rates, and how many rows it has yet to confirm.

      With --discovery Home Assistant finds the machine by itself, as one device with an entity \
      for each value. A word behind the option is its prefix, so it stands behind the sources. \
      Home Assistant reads what all machines say of themselves at once: a fleet of more than some \
      30 machines needs a larger queue in the broker, which Mosquitto calls max_queued_messages.

      EXAMPLES
        gathered publish mqtt:broker.local
        gathered publish mqtts:broker.local battery accelerometer --every 10ms --device robot
        gathered publish mqtt:broker.local battery --graph alarms.json --discovery
        gathered publish mqtt:broker.local --forget robot
        gathered watch battery --context mqtt:broker.local
      """)

  @OptionGroup var session: SessionOptions

  @OptionGroup var access: BrokerOptions

  @Option(
    help: ArgumentHelp(
      "The name of this machine; by default a digest, or the host name with --allow hostname.",
      valueName: "name"))
  var device: String?

  @OptionGroup var spool: SpoolOptions

  @Option(
    help: ArgumentHelp(
      "Run the graph of a document, and publish its outputs as streams.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var graph: [String] = []

  @Option(
    defaultAsFlag: PublishCommand.prefix, parsing: .next,
    help: ArgumentHelp(
      "Tell Home Assistant of everything, below this prefix.", valueName: "prefix"))
  var discovery: String?

  @Option(
    help: ArgumentHelp(
      "Delete all that the broker keeps of a machine, and publish nothing.", valueName: "device"))
  var forget: String?

  @Argument(
    help: "The broker: mqtt:HOST[:PORT], or mqtts: for an encrypted connection.",
    completion: Completion.brokers.kind)
  var broker: String

  @Argument(
    help: ArgumentHelp("Sources to publish.", valueName: "id"),
    completion: Completion.ids.kind)
  var ids: [String] = []

  /// Where Home Assistant looks unless it is told otherwise.
  private static let prefix = "homeassistant"

  func validate() throws {
    if forget != nil, !ids.isEmpty || !graph.isEmpty || device != nil {
      throw ValidationError("--forget publishes nothing: it goes with no sources and no --graph.")
    }
  }

  func run() throws {
    let address = try FleetAddress(access.uri(broker))
    if let forget { return try delete(forget, at: address) }
    let documents = try graph.map { try DocumentFile.named($0) }
    let signals = try SignalInbox.open(withTerminal: false)
    try session.machine.withContext(mode: .host) { context in
      var settings = PublisherOptions()
      settings.device = device
      settings.allow = try session.machine.allowance()
      settings.discovery = discovery ?? ""
      spool.apply(to: &settings)
      let recorder = try Recorder.publishing(to: address, from: context, options: settings)
      let graphs = try PublishedGraphs(documents, to: recorder, in: context)
      var recording = RecordingSession(recorder, in: context, signals: signals)
      try recording.start(ids, every: session.every?.nanoseconds)
      try recording.run(for: session.duration?.nanoseconds)
      graphs.end()
    }
  }

  private func delete(_ device: String, at address: FleetAddress) throws {
    let count = try DeviceDeletion.run(
      device, at: address, discovery: discovery ?? Self.prefix, SourceCatalogue.all)
    if count == 0 { throw CommandFailure("the broker keeps nothing of \(device)") }
    try StandardOutput.write("\(count) messages of \(device) deleted\n")
  }
}
