/// A message to be published.
public struct BrokerMessage: Equatable, Sendable {
  /// Where to, without wildcards.
  public var topic: String
  /// The content.
  public var payload: [UInt8]
  /// 0: sent once, 1: acknowledged by the broker.
  public var qos: Int32
  /// Whether the broker keeps it for those who subscribe later.
  public var isRetained: Bool
  /// The MIME type of the content, which MQTT 5 carries.
  public var contentType: String?

  /// A message.
  public init(
    _ topic: String, _ payload: [UInt8], qos: Int32 = 1, isRetained: Bool = false,
    contentType: String? = nil
  ) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.isRetained = isRetained
    self.contentType = contentType
  }
}

/// What a broker has said of itself when it accepted the connection.
public struct BrokerLimits: Equatable, Sendable {
  /// The version spoken with it.
  public var version: BrokerVersion
  /// How many messages may wait for their acknowledgement.
  public var receiveMaximum = 65_535
  /// The longest packet it takes, in bytes; nil where it has not said.
  public var maximumPacketSize: Int?
  /// The highest quality of service it grants.
  public var maximumQoS: Int32 = 2
  /// Whether it keeps retained messages.
  public var retains = true
  /// After how many seconds without a word it ends the connection; nil for what we asked for.
  public var keepAlive: Int?

  /// The limits of one that has set none.
  public init(version: BrokerVersion) { self.version = version }
}
