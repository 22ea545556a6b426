import CLinux
import Glibc
import Ground

/// A connection that a broker has accepted. Only the connection's own thread uses it, in the calls
/// of `BrokerUser`; once `disconnected` was called it does nothing.
public final class BrokerLink {
  /// How many messages may wait for their acknowledgement, and how many bytes (fleet F25).
  static let messageLimit = 32
  static let byteLimit = 1 << 20

  /// What the broker has said of itself.
  public let limits: BrokerLimits
  /// Whether it is by another id, to look before the connection is made again.
  public let isLook: Bool
  /// Whether all is seen.
  private(set) var hasLooked = false
  let client: BrokerClient
  /// The sizes of the messages that wait.
  private var waiting: [Int32: Int] = [:]
  private var waitingBytes = 0
  /// Why it ended while something was asked of it.
  private(set) var failure: BrokerFailure?
  private var isOpen = true

  init(_ client: BrokerClient, _ limits: BrokerLimits, isLook: Bool) {
    self.isLook = isLook
    self.client = client
    self.limits = limits
  }

  /// Ends a look: the connection is made again, by our own id.
  public func endLook() { hasLooked = isLook }

  /// How many messages wait for their acknowledgement.
  public var waitingCount: Int { waiting.count }

  /// Whether a message of so many bytes may be published now. One that is longer than the window
  /// may if no other waits.
  public func hasRoom(for bytes: Int) -> Bool {
    waiting.isEmpty
      || waiting.count < min(Self.messageLimit, limits.receiveMaximum)
        && waitingBytes + bytes <= Self.byteLimit
  }

  /// Hands a message over, and gives the number by which it is acknowledged. A broker that does not
  /// grant its quality of service gets it by the highest it grants.
  public func publish(_ message: BrokerMessage) throws(BrokerFailure) -> Int32 {
    let place = client.address.text
    if !isOpen { throw .lost(place, errno: ENOTCONN) }
    guard hasRoom(for: message.payload.count) else {
      throw BrokerFailure(
        .full, "as much as may be waits for the broker at \(place)", errno: EAGAIN)
    }
    let count = Int32(clamping: message.payload.count)
    var properties = client.list(contentType: message.contentType)
    defer { client.table.property_free_all(&properties) }
    var number: Int32 = 0
    let outcome = client.table.publish_v5(
      client.client, &number, message.topic, count, message.payload,
      min(message.qos, limits.maximumQoS), message.isRetained, properties)
    try check(outcome, errno)
    waiting[number] = message.payload.count
    waitingBytes += message.payload.count
    return number
  }

  /// Subscribes to filters, and gives the number by which that is answered.
  public func subscribe(_ filters: [String], qos: Int32 = 1) throws(BrokerFailure) -> Int32 {
    try ask(filters) { client, number, count, texts in
      client.table.subscribe_multiple(client.client, &number, count, texts, qos, 0, nil)
    }
  }

  /// Takes subscriptions back.
  public func unsubscribe(_ filters: [String]) throws(BrokerFailure) {
    _ = try ask(filters) { client, number, count, texts in
      client.table.unsubscribe_multiple(client.client, &number, count, texts, nil)
    }
  }

  /// A message needs no room any more.
  func release(_ number: Int32) {
    waitingBytes -= waiting.removeValue(forKey: number) ?? 0
  }

  /// It is over.
  func close() { isOpen = false }

  private typealias Request = (
    BrokerClient, inout Int32, Int32, UnsafePointer<UnsafeMutablePointer<CChar>?>
  ) -> Int32

  private func ask(_ filters: [String], _ request: Request) throws(BrokerFailure) -> Int32 {
    if !isOpen { throw .lost(client.address.text, errno: ENOTCONN) }
    let texts = filters.map { strdup($0) }
    defer { for text in texts { free(text) } }
    var number: Int32 = 0
    let outcome = texts.withUnsafeBufferPointer { texts -> Int32 in
      guard let first = texts.baseAddress else { return CLINUX_MQTT_INVALID }
      return request(client, &number, Int32(texts.count), first)
    }
    try check(outcome, errno)
    return number
  }

  private func check(_ outcome: Int32, _ code: Int32) throws(BrokerFailure) {
    guard outcome > 0 else { return }
    let error = BrokerFailure.rejected(outcome, errno: code, at: client.address.text)
    if error.kind != .invalid && error.kind != .tooLarge {
      failure = error
      isOpen = false
    }
    throw error
  }
}
