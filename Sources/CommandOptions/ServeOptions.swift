package import ArgumentParser

/// The options of the server, which `gathered serve` hands on.
package struct ServeOptions: ParsableArguments {
  @OptionGroup package var machine: ContextOptions

  @Option(
    help: ArgumentHelp(
      "Where to listen; port 0 takes any that is free.",
      discussion: "Without it 127.0.0.1:8917 and [::1]:8917.", valueName: "address:port"))
  package var listen: String?

  @Option(
    help: ArgumentHelp("Listen on a Unix socket instead.", valueName: "path"),
    completion: .file())
  package var unix: String?

  @Option(
    help: ArgumentHelp(
      "The file of the token; without it one of the user's own, made once.", valueName: "file"),
    completion: .file())
  package var tokenFile: String?

  @Flag(help: "Ask for no token; on addresses of this machine alone.")
  package var noToken = false

  @Option(
    help: ArgumentHelp(
      "Time between two updates; each kind has its own default.", valueName: "time"))
  package var every: Seconds?

  @Option(
    help: ArgumentHelp("Run the graph of a document, and show its outputs.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  package var graph: [String] = []

  @Option(
    help: ArgumentHelp("Show the recordings in a folder.", valueName: "dir"),
    completion: .directory)
  package var recordings: String?

  @Flag(help: "Let clients make recordings, set values of sessions, and look for sources again.")
  package var control = false

  @Option(help: ArgumentHelp("Another name that this machine is asked by.", valueName: "name"))
  package var hostName: [String] = []

  @Option(help: ArgumentHelp("Let the pages of an origin read.", valueName: "url"))
  package var origin: [String] = []

  @Option(
    name: .customLong("public"),
    help: ArgumentHelp("What needs no token: metrics, health, or both.", valueName: "names"))
  package var open: [String] = []

  @Option(
    help: ArgumentHelp("End when no client has been there for this time.", valueName: "time"))
  package var idleExit: Seconds?

  @Flag(name: .customLong("open"), help: "Open the link in a browser.")
  package var isOpened = false

  @Argument(
    help: ArgumentHelp("Sources to show; default: all there are.", valueName: "id"),
    completion: Completion.ids.kind)
  package var ids: [String] = []

  /// Nothing is set yet.
  package init() {}

  /// What the command is about, for both that have these options.
  package static let abstract = "Show a machine in a browser, and to programs over HTTP."
  /// The same at length.
  package static let discussion = """
    Prints one line, the link to open. It listens on this machine alone, asks for the token in \
    the link, and reads nothing while no page is open. The page has every source with its values, \
    plots, the attitude of the device, graphs and recordings; it loads nothing from elsewhere.

    Programs get JSON and a stream of events below /api/v1, which describes itself, and Prometheus \
    gets /metrics. The documentation has a page on both.

    Other machines reach it through ssh -L, through a proxy with TLS, or on another address with \
    --token-file.

    EXAMPLES
      gathered serve --open
      gathered serve --context sim:phone --listen 127.0.0.1:0
      gathered serve --recordings ~/recordings --control
      gathered serve --public metrics battery cpu memory
      gathered serve --unix /run/gathered/serve.sock
    """
}
