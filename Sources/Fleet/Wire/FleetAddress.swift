public import Gathering
import Ground
package import Machine
import Values

/// The broker and the root of a fleet: `mqtt:HOST[:PORT]`, `mqtts:HOST[:PORT]`, with parameters
/// (fleet F39).
public struct FleetAddress: Equatable, Sendable {
  /// How the broker is reached.
  package let broker: BrokerAddress
  /// The levels above all topics.
  package let root: String
  /// The machines a fleet context has; nil for all.
  let devices: Set<String>?
  /// The kinds it has; nil for all.
  let kinds: Set<String>?
  /// Whether also listeners get rows that come late.
  let tellsLate: Bool

  private static let parameters = [
    "root", "devices", "kinds", "user", "password_file", "ca", "cert", "key", "tls", "version",
    "keepalive", "insecure", "late",
  ]

  /// Reads a URI. Throws `invalidArgument` that names what is wrong with it.
  public init(_ uri: String) throws(SourceError) {
    guard let colon = uri.firstIndex(of: ":"), ["mqtt", "mqtts"].contains(uri[..<colon]) else {
      throw .invalidArgument("\(ContextURI.quoted(uri)) names no broker; try mqtt:HOST")
    }
    var rest = uri[uri.index(after: colon)...]
    if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
    let parts = rest.split(separator: "&", maxSplits: 1, omittingEmptySubsequences: false)
    var given = try ContextURI.parameters(parts.count > 1 ? parts[1] : "")
    if let unknown = given.keys.sorted().first(where: { !Self.parameters.contains($0) }) {
      throw .invalidArgument("\(uri[..<colon]): has no parameter \(ContextURI.quoted(unknown))")
    }
    root = try Self.root(given.removeValue(forKey: "root"))
    devices = try Self.names(given["devices"], of: "devices")
    kinds = try Self.names(given["kinds"], of: "kinds")
    tellsLate = try Self.flag(given["late"], "late")
    let usesTLS = try Self.flag(given["tls"], "tls") || uri[..<colon] == "mqtts"
    broker = try Self.broker(String(parts.first ?? ""), given, usesTLS: usesTLS)
  }

  /// Throws `unavailable`, with the package to install, where there is no libmosquitto.
  package static func checkLibrary() throws(SourceError) {
    do throws(MissingLibrary) {
      _ = try Libmosquitto.version()
    } catch {
      throw .unavailable(
        Availability(
          .unsupportedByKernel, backend: "mqtt", detail: error.reason,
          errno: error.systemError.code, remedy: "apt install \(error.package)"))
    }
  }

  private static func broker(
    _ text: String, _ given: [String: String], usesTLS: Bool
  ) throws(SourceError) -> BrokerAddress {
    if text.contains("@") {
      throw .invalidArgument(
        "a user and a password are no part of the address: user= and password_file= tell them")
    }
    let host = try ContextURI.decoded(text[...])
    if host.isEmpty { throw .invalidArgument("mqtt: names no host") }
    try ContextURI.checkHost(host)
    let (name, port) = try ContextURI.parts(ofHost: host)
    var address = BrokerAddress(
      host: name, port: port.flatMap { UInt16($0) } ?? (usesTLS ? 8883 : 1883))
    address.usesTLS = usesTLS
    address.user = given["user"]
    address.passwordFile = given["password_file"]
    (address.authorities, address.certificate) = (given["ca"], given["cert"])
    address.key = given["key"]
    address.isInsecure = try flag(given["insecure"], "insecure")
    switch given["version"] {
    case nil: break
    case "5"?: address.version = .v5
    case "3.1.1"?: address.version = .v311
    case let other?: throw .invalidArgument("version=\(other): there are 5 and 3.1.1")
    }
    if let text = given["keepalive"] {
      guard let seconds = Int(text), (5...65_535).contains(seconds) else {
        throw .invalidArgument("keepalive=\(text) is not from 5 to 65535 seconds")
      }
      address.keepAlive = seconds
    }
    try check(address)
    return address
  }

  /// Refuses what would tell a secret to all, or nothing to the broker.
  private static func check(_ address: BrokerAddress) throws(SourceError) {
    if address.passwordFile != nil, address.user == nil {
      throw .invalidArgument("password_file= needs user=")
    }
    if (address.certificate == nil) != (address.key == nil) {
      throw .invalidArgument("cert= and key= need each other")
    }
    if !address.usesTLS, address.authorities ?? address.certificate != nil {
      throw .invalidArgument("ca=, cert= and key= need mqtts: or tls=1")
    }
    let isLocal = ServiceAddress(host: address.host, port: address.port).isLocal
    if address.user != nil, !address.usesTLS, !isLocal, !address.isInsecure {
      throw .invalidArgument(
        "a password would go to \(address.host) for all to read: use mqtts:, or insecure=1")
    }
  }

  private static func root(_ text: String?) throws(SourceError) -> String {
    guard let text else { return "gathered" }
    try check(topics: text, of: "root")
    return text
  }

  /// Refuses what cannot be the beginning of topics.
  static func check(topics text: String, of key: String) throws(SourceError) {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    let isWrong = levels.contains { level in
      level.isEmpty || level.contains { "#+\0".contains($0) }
    }
    guard !isWrong, text.utf8.count <= 256 else {
      throw .invalidArgument("\(key)=\(ContextURI.quoted(text)) is no beginning of topics")
    }
  }

  private static func names(_ text: String?, of key: String) throws(SourceError) -> Set<String>? {
    guard let text else { return nil }
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if names.contains("") { throw .invalidArgument("\(key)= has an empty name") }
    return Set(names)
  }

  private static func flag(_ text: String?, _ key: String) throws(SourceError) -> Bool {
    switch text {
    case nil, "0"?: false
    case "1"?: true
    case let other?: throw .invalidArgument("\(key)=\(other): there are 0 and 1")
    }
  }
}
