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
  private(set) var events: [BrokerEvent] = []
  /// What libmosquitto logged while it connected: all it says about certificates.
  private(set) var log: [String] = []
  private let version: BrokerVersion

  init(version: BrokerVersion) { self.version = version }

  /// What has come, in order.
  func take() -> [BrokerEvent] {
    defer { events = [] }
    return events
  }

  fileprivate func add(_ event: BrokerEvent) { events.append(event) }

  /// Keeps what was said about TLS.
  func note(_ text: String) {
    if log.count < 32 { log.append(text) }
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
      if let text { inboxOf(owner)?.note(String(cString: text)) }
    }
  }

  private static func attachReceiver(to client: OpaquePointer, _ table: clinux_broker) {
    table.message_v5_callback_set(client) { client, owner, message, _ in
      guard let inbox = inboxOf(owner), let message = message?.pointee, let topic = message.topic
      else { return }
      let count = Int(max(0, message.payloadlen))
      let payload = [UInt8](UnsafeRawBufferPointer(start: message.payload, count: count))
      inbox.add(
        .received(topic: String(cString: topic), payload: payload, isRetained: message.retain))
    }
  }

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
