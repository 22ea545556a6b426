/// Where a daemon listens: a host and a port of TCP or UDP.
public struct ServiceAddress: Equatable, Sendable {
  /// A name, an IPv4 or an IPv6 address, without brackets.
  public let host: String
  /// The port.
  public let port: UInt16

  /// A host and a port.
  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The default address of gpsd.
  public static let gpsd = ServiceAddress(host: "127.0.0.1", port: 2947)

  /// The address at which chronyd takes commands from its own computer, by UDP.
  public static let chrony = ServiceAddress(host: "127.0.0.1", port: 323)

  /// The default address of upsd.
  public static let upsd = ServiceAddress(host: "127.0.0.1", port: 3493)

  /// Whether it is on this computer by its own words: a loopback address or `localhost`.
  public var isLocal: Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// `HOST:PORT`, an IPv6 address in brackets.
  public var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
