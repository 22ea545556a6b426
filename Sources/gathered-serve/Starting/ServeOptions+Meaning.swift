import CommandOptions
import GatheredKit
import Gathering
import Patches
import Serving
import Values

extension ServeOptions {
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
    rules.open = try opened()
    if control && noToken && !place.isFile {
      throw StartFailure(
        "--control needs a token, or --unix",
        remedy: "leave --no-token out, and open the link that is printed", exitCode: 2)
    }
    rules.allowsControl = control
    return rules
  }

  private func opened() throws(StartFailure) -> [String] {
    let names = open.flatMap { $0.split(separator: ",") }.map(String.init)
    for name in names where !["metrics", "health"].contains(name) {
      throw StartFailure("--public takes metrics and health, not \"\(name)\"", exitCode: 2)
    }
    return names
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
      context, allow: machine.allowance(), settings,
      graphs: graph.map { try graph(at: $0, context) })
  }

  private func interval() throws(StartFailure) -> Int64? {
    guard let every else { return nil }
    guard (2_000_000...86_400_000_000_000).contains(every.nanoseconds) else {
      throw StartFailure("--every takes a time from 2ms to 24h", exitCode: 2)
    }
    return every.nanoseconds
  }

  private func graph(at path: String, _ context: Context) throws -> ServedGraph {
    let document: [UInt8]
    do throws(DocumentError) {
      document = try DocumentFile(at: path).bytes
    } catch {
      throw StartFailure(error.message)
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

  /// How long it stays without clients, in nanoseconds; nil for ever.
  func idleTime(for place: Listening) -> Int64? {
    if case .given = place { return idleExit?.nanoseconds ?? 60_000_000_000 }
    return idleExit?.nanoseconds
  }
}
