import ArgumentParser
import GatheredKit
import Gathering
import Glibc
import Patches
import Serving
import Values

/// The options of the server.
struct ServeOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The machine to show.",
      discussion: """
        local: is this computer; local:root=DIR a captured tree; ip:HOST the sensors of another \
        machine; sim:laptop and sim:phone are simulated; replay:FILE plays a recording.
        """, valueName: "uri"))
  var context = "local:"

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Personal values to show, separated by commas, or all.", valueName: "categories"))
  var allow: [String] = []

  @Option(
    help: ArgumentHelp(
      "Where to listen; port 0 takes any that is free.", valueName: "address:port"))
  var listen: String?

  @Option(help: ArgumentHelp("Listen on a Unix socket instead.", valueName: "path"))
  var unix: String?

  @Option(help: ArgumentHelp("The file of the token.", valueName: "file"))
  var tokenFile: String?

  @Flag(help: "Ask for no token; on this machine alone.")
  var noToken = false

  @Option(
    help: ArgumentHelp(
      "Seconds between two updates; each kind has its own default.", valueName: "s"))
  var every: Double?

  @Option(
    help: ArgumentHelp("Run the graph of a document, and show its outputs.", valueName: "file"))
  var graph: [String] = []

  @Option(help: ArgumentHelp("Show the recordings of a folder.", valueName: "dir"))
  var recordings: String?

  @Flag(help: "Let clients start and stop recordings, set values of sessions, and rescan.")
  var control = false

  @Option(help: ArgumentHelp("Another name that this machine is asked by.", valueName: "name"))
  var hostName: [String] = []

  @Option(help: ArgumentHelp("Let pages of this origin read.", valueName: "url"))
  var origin: [String] = []

  @Option(
    help: ArgumentHelp(
      "What needs no token: metrics, health, or both.", valueName: "names"))
  var `public`: String?

  @Option(
    help: ArgumentHelp(
      "End when no client has been there for so many seconds.", valueName: "s"))
  var idleExit: Double?

  @Flag(help: "Open the link in a browser.")
  var open = false

  @Argument(help: ArgumentHelp("Sources to show; default: all there are.", valueName: "id"))
  var ids: [String] = []

  /// The personal categories to show.
  func allowance() throws(SourceError) -> Allowance {
    try Allowance(parsing: allow.joined(separator: ","))
  }

  /// Where to listen.
  func place() throws(StartFailure) -> Listening {
    if let given = Listening.ofSystemd() { return given }
    if let unix {
      if listen != nil {
        throw StartFailure("--listen and --unix exclude each other", exitCode: 2)
      }
      return .file(unix)
    }
    if let listen { return try Listening(listen) }
    return .network(addresses: Listening.loopback, port: Listening.defaultPort)
  }

  /// The file of the token; nil where none is asked for.
  func tokenFile(for place: Listening) throws(StartFailure) -> TokenFile? {
    if place.isOpenToOthers {
      if noToken {
        throw StartFailure("--no-token is for addresses of this machine alone", exitCode: 2)
      }
      if tokenFile == nil {
        throw StartFailure(
          "another address than loopback needs --token-file",
          remedy: "put a long random word into a file, and chmod 600 it", exitCode: 2)
      }
    }
    if place.isFile { return nil }
    return noToken ? nil : try TokenFile(tokenFile)
  }

  /// Who may ask for what.
  func rules(for place: Listening) throws(StartFailure) -> AccessRules {
    var rules = AccessRules()
    if case .network(let addresses, let port) = place {
      (rules.addresses, rules.port) = (addresses, port)
    }
    // What systemd listens on is its unit's matter.
    if case .given = place { rules.addresses = ["0.0.0.0"] }
    rules.hostNames = hostName
    rules.origins = origin
    for url in origin where url == "*" || url == "null" || !url.contains("://") {
      throw StartFailure("--origin takes one origin such as https://example.org", exitCode: 2)
    }
    rules.open = try (self.public ?? "").split(separator: ",").map { name throws(StartFailure) in
      guard ["metrics", "health"].contains(name) else {
        throw StartFailure("--public takes metrics and health, not \"\(name)\"", exitCode: 2)
      }
      return String(name)
    }
    rules.allowsControl = control
    return rules
  }

  /// The context with its graphs and recordings.
  func served(_ context: Context) throws -> ServedContext {
    var settings = ServedContext.Settings()
    settings.wanted = try ids.map { id in
      guard case .source(let source) = try TypedIdentifier.parse(id, in: context) else {
        throw StartFailure("\"\(id)\" is a property; sources are served", exitCode: 2)
      }
      // What there cannot be is told now.
      _ = try context.open(source)
      return source
    }
    settings.interval = try interval()
    settings.recordings = recordings
    settings.allowsControl = control
    return try ServedContext(
      context, allow: allowance(), settings, graphs: graph.map { try graph(at: $0, context) })
  }

  private func interval() throws(StartFailure) -> Int64? {
    guard let every else { return nil }
    guard every.isFinite, (0.002...86_400).contains(every) else {
      throw StartFailure("--every takes seconds from 0.002 to 86400", exitCode: 2)
    }
    return Int64(every * 1e9)
  }

  private func graph(at path: String, _ context: Context) throws -> ServedGraph {
    let document: [UInt8]
    do {
      document = try DocumentBytes.read(path)
    } catch {
      throw StartFailure("\(path): \(error.message)")
    }
    do throws(PatchError) {
      let graph = try Graph.load(document, in: context)
      let file = path.split(separator: "/").last.map(String.init) ?? path
      return ServedGraph(
        named: file.hasSuffix(".json") ? String(file.dropLast(5)) : file, graph, document)
    } catch .invalidGraph(let problems) {
      throw StartFailure(
        "\(path): \(problems.count == 1 ? "one problem" : "\(problems.count) problems")",
        remedy: "gathered graph check \(path) tells more",
        details: problems.map { "\(path): \($0.pointer): \($0.message)" })
    } catch {
      throw StartFailure("\(path): \(error.message)")
    }
  }

  /// How long it stays without clients, in seconds; nil for ever.
  func idleExit(for place: Listening) -> Double? {
    if case .given = place { return idleExit ?? 60 }
    return idleExit
  }
}
