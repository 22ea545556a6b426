/// An MQTT broker, and how it is spoken to.
public struct BrokerAddress: Equatable, Sendable {
  /// A name, an IPv4 or an IPv6 address, without brackets.
  public var host: String
  /// The TCP port.
  public var port: UInt16
  /// Whether the connection is encrypted, and the broker's certificate and name are checked.
  public var usesTLS = false
  /// The user's name.
  public var user: String?
  /// The file whose first line is the password.
  public var passwordFile: String?
  /// The file with the certificates of who may vouch for the broker; nil for the system's.
  public var authorities: String?
  /// The file with our own certificate.
  public var certificate: String?
  /// The file with the key of our own certificate.
  public var key: String?
  /// The version that is spoken; nil for 5, and 3.1.1 where the broker refuses that.
  public var version: BrokerVersion?
  /// After how many seconds without a word one is sent: 5 to 65 535.
  public var keepAlive = 30
  /// Whether a password may be sent where others can read it.
  public var isInsecure = false

  /// A broker that is spoken to without encryption.
  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// `HOST:PORT`, an IPv6 address in brackets.
  public var text: String { place.text }

  /// Whether it is on this computer by its own words.
  var isLocal: Bool { place.isLocal }

  private var place: ServiceAddress { ServiceAddress(host: host, port: port) }
}

/// A version of MQTT.
public enum BrokerVersion: Equatable, Sendable {
  /// MQTT 3.1.1.
  case v311
  /// MQTT 5.
  case v5
}
