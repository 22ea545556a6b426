import CLinux
import Glibc

/// What libmosquitto has called us for.
enum BrokerEvent {
  /// The broker has answered to CONNECT.
  case answered(code: Int32, BrokerLimits)
  case received(topic: String, payload: [UInt8], isRetained: Bool)
  case acknowledged(Int32, code: Int32)
  /// The code is that of a filter that was refused, or 0.
  case subscribed(Int32, code: Int32)
  case unsubscribed(Int32)
  /// The connection has ended: a reason of the broker's, an error of libmosquitto's, or 0 if we
  /// wanted it to.
  case ended(Int32)
}

/// What has come while libmosquitto worked. It calls on the one thread that calls it.
final class BrokerInbox {
  /// How much one round may bring, in bytes: a broker that sends faster than we read would keep
  /// libmosquitto in one call for ever.
  static let limit = 64 << 20

  private(set) var events: [BrokerEvent] = []
  /// What libmosquitto logged while it connected: all it says about certificates.
  private(set) var log: [String] = []
  private var size = 0
  private let version: BrokerVersion

  init(version: BrokerVersion) { self.version = version }

  /// Whether the round has brought too much.
  var isFlooded: Bool { size > Self.limit }

  /// What has come, in order.
  func take() -> [BrokerEvent] {
    defer {
      events = []
      size = 0
    }
    return events
  }

  fileprivate func add(_ event: BrokerEvent, size bytes: Int = 0) {
    events.append(event)
    size += bytes + 64
  }

  /// Sets what a client calls; the inbox must outlive it.
  static func attach(to client: OpaquePointer, _ table: clinux_broker) {
    table.connect_v5_callback_set(client) { _, owner, code, _, properties in
      guard let inbox = inboxOf(owner) else { return }
      inbox.add(.answered(code: code, inbox.limits(properties)))
    }
    table.disconnect_v5_callback_set(client) { _, owner, code, _ in
      inboxOf(owner)?.add(.ended(code))
    }
    table.publish_v5_callback_set(client) { _, owner, message, code, _ in
      inboxOf(owner)?.add(.acknowledged(message, code: code))
    }
    table.subscribe_v5_callback_set(client) { _, owner, request, count, granted, _ in
      let codes = UnsafeBufferPointer(start: granted, count: Int(count))
      inboxOf(owner)?.add(.subscribed(request, code: codes.first { $0 >= 0x80 } ?? 0))
    }
    table.unsubscribe_v5_callback_set(client) { _, owner, request, _ in
      inboxOf(owner)?.add(.unsubscribed(request))
    }
    attachReceiver(to: client, table)
    table.log_callback_set(client) { _, owner, _, text in
      guard let text, let inbox = inboxOf(owner), inbox.log.count < 32 else { return }
      inbox.log.append(String(cString: text))
    }
  }

  private static func attachReceiver(to client: OpaquePointer, _ table: clinux_broker) {
    table.message_v5_callback_set(client) { client, owner, message, _ in
      guard let inbox = inboxOf(owner), let message = message?.pointee, let topic = message.topic
      else { return }
      let count = Int(max(0, message.payloadlen))
      let payload = [UInt8](UnsafeRawBufferPointer(start: message.payload, count: count))
      let name = String(cString: topic)
      inbox.add(
        .received(topic: name, payload: payload, isRetained: message.retain),
        size: count + name.utf8.count)
      // Then libmosquitto reads the end of the connection next.
      if inbox.isFlooded, let descriptor = inbox.descriptor { shutdown(descriptor, Int32(SHUT_RD)) }
    }
  }

  /// The socket to shut when too much comes.
  var descriptor: Int32?

  /// What the properties of CONNACK say.
  private func limits(_ properties: OpaquePointer?) -> BrokerLimits {
    var limits = BrokerLimits(version: version)
    guard let properties, let table = try? Libmosquitto.table() else { return limits }
    var (byte, short, long) = (UInt8(), UInt16(), UInt32())
    if table.property_read_int16(properties, CLINUX_MQTT_RECEIVE_MAXIMUM, &short, false) != nil {
      limits.receiveMaximum = max(1, Int(short))
    }
    if table.property_read_int32(properties, CLINUX_MQTT_MAXIMUM_PACKET_SIZE, &long, false) != nil {
      limits.maximumPacketSize = Int(long)
    }
    if table.property_read_byte(properties, CLINUX_MQTT_MAXIMUM_QOS, &byte, false) != nil {
      limits.maximumQoS = Int32(min(2, byte))
    }
    if table.property_read_byte(properties, CLINUX_MQTT_RETAIN_AVAILABLE, &byte, false) != nil {
      limits.retains = byte != 0
    }
    if table.property_read_int16(properties, CLINUX_MQTT_SERVER_KEEP_ALIVE, &short, false) != nil {
      limits.keepAlive = Int(short)
    }
    return limits
  }
}

/// The inbox a client was made with.
private func inboxOf(_ owner: UnsafeMutableRawPointer?) -> BrokerInbox? {
  owner.map { Unmanaged<BrokerInbox>.fromOpaque($0).takeUnretainedValue() }
}
