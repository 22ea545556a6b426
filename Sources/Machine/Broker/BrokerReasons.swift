import CLinux
import Glibc

/// What the numbers of MQTT and of libmosquitto come down to.
extension BrokerFailure {
  /// A reason code of MQTT 5 of 0x80 and above, with which a broker refuses or ends a connection.
  static func ended(_ code: Int32, by place: String) -> BrokerFailure {
    if let failure = refusal(code, by: place) { return failure }
    let hex = String(code, radix: 16, uppercase: true)
    let words = endings[code] ?? "it gave the reason 0x\(hex)"
    let kind: Kind =
      switch code {
      case 0x81, 0x82, 0x93, 0x94: .protocolError
      case 0x8E: .takenOver
      case 0x95: .tooLarge
      case 0x8D: .lost
      default: .refused
      }
    let errno = code == 0x8E ? EBUSY : code == 0x95 ? EMSGSIZE : ECONNREFUSED
    return BrokerFailure(
      kind, "the broker at \(place) has ended the connection: \(words)", errno: errno)
  }

  /// The same of a broker that has not accepted, and the return codes of 3.1.1.
  static func refused(_ code: Int32, by place: String) -> BrokerFailure {
    let codes: [Int32: Int32] = [1: 0x84, 2: 0x85, 3: 0x88, 4: 0x86, 5: 0x87]
    let code = codes[code] ?? code
    if let failure = refusal(code, by: place) { return failure }
    let hex = String(code, radix: 16, uppercase: true)
    let words = endings[code] ?? "it gave the reason 0x\(hex)"
    return BrokerFailure(
      .refused, "the broker at \(place) refuses the connection: \(words)", errno: ECONNREFUSED)
  }

  /// A reason code with which a broker refuses a message or a subscription.
  static func denied(_ code: Int32, _ what: String, by place: String) -> BrokerFailure {
    let hex = String(code, radix: 16, uppercase: true)
    let words = denials[code] ?? endings[code] ?? "it gave the reason 0x\(hex)"
    let kind: Kind =
      switch code {
      case 0x87: .notAuthorised
      case 0x8F, 0x90: .invalid
      case 0x95: .tooLarge
      default: .refused
      }
    return BrokerFailure(
      kind, "the broker at \(place) refuses \(what): \(words)",
      remedy: kind == .notAuthorised ? allowance : "",
      errno: kind == .notAuthorised ? EACCES : kind == .tooLarge ? EMSGSIZE : EINVAL)
  }

  private static let allowance = "allow it in the broker's access list"

  /// The refusals that last.
  private static func refusal(_ code: Int32, by place: String) -> BrokerFailure? {
    switch code {
    case 0x84:
      BrokerFailure(
        .badVersion, "the broker at \(place) does not speak this version of MQTT",
        remedy: "choose another version, or let it be found", errno: EPROTONOSUPPORT)
    case 0x85:
      BrokerFailure(
        .badClientID, "the broker at \(place) does not accept the client's id", errno: EINVAL)
    case 0x86, 0x8C:
      BrokerFailure(
        .badLogin, "the broker at \(place) does not accept user and password",
        remedy: "check the user and the password file", errno: EACCES)
    case 0x87:
      BrokerFailure(
        .notAuthorised, "the broker at \(place) does not allow this client to connect",
        remedy: "give a user and a password file, or allow the client in the broker's settings",
        errno: EACCES)
    case 0x8A:
      BrokerFailure(.banned, "the broker at \(place) has banned this client", errno: EACCES)
    default: nil
    }
  }

  private static let endings: [Int32: String] = [
    0x00: "it has closed it", 0x80: "it gives no reason", 0x81: "it was sent what it cannot read",
    0x82: "it was sent what the protocol forbids", 0x83: "its own rules forbid it",
    0x88: "it is not available", 0x89: "it is busy", 0x8B: "it shuts down",
    0x8D: "it has not heard from us in time",
    0x8E: "another client has connected by the same id", 0x8F: "it does not accept a filter",
    0x90: "it does not accept a topic", 0x93: "too many messages waited for it",
    0x94: "a topic alias is none", 0x95: "a message was longer than it takes",
    0x96: "messages came too fast", 0x97: "a quota is used up",
    0x98: "its administrator has ended it", 0x99: "a payload is not of its format",
    0x9A: "it does not retain messages", 0x9B: "it does not grant this quality of service",
    0x9C: "it wants another server to be used", 0x9D: "it has moved",
    0x9E: "it has no shared subscriptions", 0x9F: "too many connections are made",
    0xA0: "the connection may last no longer", 0xA1: "it has no subscription identifiers",
    0xA2: "it has no wildcards in filters",
  ]

  private static let denials: [Int32: String] = [
    0x87: "it is not allowed", 0x8F: "the filter is none", 0x90: "the topic is none",
    0x95: "it is too long",
  ]

  /// An error of libmosquitto that ended a connection; `code` is the errno it left.
  static func ended(
    _ outcome: Int32, errno code: Int32, at place: String
  ) -> BrokerFailure {
    switch outcome {
    case 0x80...: ended(outcome, by: place)
    case 0: .lost(place, "the broker has closed it", errno: ECONNRESET)
    case CLINUX_MQTT_LOST, CLINUX_MQTT_NO_CONNECTION:
      .lost(place, "the broker has closed it", errno: ECONNRESET)
    case CLINUX_MQTT_KEEP_ALIVE: .lost(place, "the broker does not answer", errno: ETIMEDOUT)
    case CLINUX_MQTT_PROTOCOL, CLINUX_MQTT_MALFORMED, CLINUX_MQTT_BAD_TEXT,
      CLINUX_MQTT_REFUSED, CLINUX_MQTT_TWICE:
      .notMQTT(place)
    case CLINUX_MQTT_NO_MEMORY: .lost(place, errno: ENOMEM)
    case CLINUX_MQTT_ERRNO where code != 0: .lost(place, errno: code)
    default: .lost(place, "libmosquitto gave the error \(outcome)", errno: EIO)
    }
  }

  /// An error of libmosquitto for what was asked of it.
  static func rejected(_ outcome: Int32, errno code: Int32, at place: String) -> BrokerFailure {
    switch outcome {
    case CLINUX_MQTT_INVALID, CLINUX_MQTT_BAD_TEXT:
      BrokerFailure(.invalid, "the topic or filter is none of MQTT", errno: EINVAL)
    case CLINUX_MQTT_OVERSIZE, CLINUX_MQTT_PAYLOAD_SIZE:
      BrokerFailure(
        .tooLarge, "the message is longer than the broker at \(place) takes", errno: EMSGSIZE)
    default: ended(outcome, errno: code, at: place)
    }
  }
}
