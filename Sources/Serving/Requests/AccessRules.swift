/// Who may ask for what (serve section 3).
public struct AccessRules: Sendable {
  /// The addresses that it listens on, as texts without brackets; `0.0.0.0` and `::` stand for all.
  public var addresses: [String] = []
  /// The port of those addresses; nil where any is ours.
  public var port: Int?
  /// Names of this machine that requests may use besides.
  public var hostNames: [String] = []
  /// Origins of pages, besides our own, that may read.
  public var origins: [String] = []
  /// Without it no token is asked for.
  public var token: AccessToken?
  /// Paths below which no token is asked for: `/metrics`, `/health`.
  public var open: [String] = []
  /// Whether requests may control anything.
  public var allowsControl = false

  /// The rules for a server of one's own: nothing is open, nothing is controlled.
  public init() {}

  /// Whether a `Host` field names us, with our port or none (W8).
  func isOurs(_ host: String) -> Bool {
    let lowered = host.lowercased()
    let (name, port) = Self.split(lowered)
    if let port, let own = self.port, port != String(own) { return false }
    if name == "localhost" || hostNames.contains(where: { $0.lowercased() == name }) { return true }
    guard let address = NetworkAddress(name) else { return false }
    return addresses.contains { text in
      guard let own = NetworkAddress(text) else { return false }
      return own == address || own.isUnspecified
    }
  }

  /// The name of a host, without the brackets of an address, and its port.
  private static func split(_ host: String) -> (name: String, port: String?) {
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return ("", nil) }
      let name = String(host[host.index(after: host.startIndex)..<end])
      let rest = host[host.index(after: end)...]
      // Brackets are for addresses of IPv6.
      if !name.contains(":") { return ("", nil) }
      return rest.isEmpty ? (name, nil) : (rest.first == ":" ? name : "", String(rest.dropFirst()))
    }
    let parts = host.split(separator: ":", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return (host, nil)
    case 2: return (String(parts[0]), String(parts[1]))
    default: return ("", nil)
    }
  }
}
