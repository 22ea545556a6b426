import ArgumentParser
import Values

/// How a broker is reached, besides its address.
struct BrokerOptions: ParsableArguments {
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

  @Option(
    name: .customLong("cert"),
    help: ArgumentHelp("This machine's own certificate; with --key.", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Option(
    help: ArgumentHelp("The key of this machine's certificate.", valueName: "file"),
    completion: .file())
  var key: String?

  /// Nothing is set yet.
  init() {}

  /// The URI of a broker with all of it.
  func uri(_ broker: String) -> String {
    let parameters = [
      ("user", user), ("password_file", passwordFile), ("ca", authorities), ("cert", certificate),
      ("key", key),
    ]
    return parameters.reduce(broker) { uri, parameter in
      guard let value = parameter.1 else { return uri }
      return "\(uri)&\(parameter.0)=\(IdentifierGrammar.encoded(value))"
    }
  }
}
