import Glibc
import Ground

/// Why there is no connection to a broker, or why it has not done what was asked.
public struct BrokerFailure: Error, Equatable, Sendable {
  /// What it comes down to.
  public enum Kind: Equatable, Sendable {
    /// libmosquitto is missing or too old.
    case noLibrary
    /// Nothing answers at the address, or not in time.
    case unreachable
    /// The broker refuses, for now.
    case refused
    /// The broker refuses the version of MQTT.
    case badVersion
    /// The broker's certificate is not trusted, or not for this host.
    case notTrusted
    /// User, password or our own certificate are wrong.
    case badLogin
    /// The broker does not allow this.
    case notAuthorised
    /// The broker does not accept the client's id.
    case badClientID
    /// The broker has banned us.
    case banned
    /// Another client has connected by the same id.
    case takenOver
    /// The connection was lost.
    case lost
    /// What is said is not MQTT, or breaks its rules.
    case protocolError
    /// The message is longer than the broker takes.
    case tooLarge
    /// As much as may be waits for its acknowledgement.
    case full
    /// The topic, filter or message is none.
    case invalid
  }

  /// What it comes down to.
  public var kind: Kind
  /// One clause saying why.
  public var reason: String
  /// What the user can do about it; empty where there is nothing.
  public var remedy: String
  /// The errno behind it, or 0.
  public var errno: Int32

  /// A failure.
  public init(_ kind: Kind, _ reason: String, remedy: String = "", errno: Int32 = 0) {
    self.kind = kind
    self.reason = reason
    self.remedy = remedy
    self.errno = errno
  }

  /// Whether it will not mend itself soon (fleet F11).
  public var isLasting: Bool {
    switch kind {
    case .notTrusted, .badLogin, .notAuthorised, .badClientID, .banned, .badVersion: true
    default: false
    }
  }

  static func missing(_ library: MissingLibrary) -> BrokerFailure {
    BrokerFailure(
      .noLibrary, library.reason, remedy: "apt install \(library.package)",
      errno: library.systemError.code)
  }

  static func unreachable(_ place: String, _ why: String, errno: Int32) -> BrokerFailure {
    BrokerFailure(
      .unreachable, "no broker at \(place): \(why)",
      remedy: "check the address, or start one: systemctl start mosquitto", errno: errno)
  }

  static func unreachable(_ place: String, errno code: Int32) -> BrokerFailure {
    unreachable(place, words(of: code), errno: code)
  }

  static func lost(_ place: String, _ why: String, errno: Int32) -> BrokerFailure {
    BrokerFailure(.lost, "the connection to the broker at \(place) is lost: \(why)", errno: errno)
  }

  static func lost(_ place: String, errno code: Int32) -> BrokerFailure {
    lost(place, words(of: code), errno: code)
  }

  static func notMQTT(_ place: String) -> BrokerFailure {
    BrokerFailure(
      .protocolError, "what answers at \(place) breaks the rules of MQTT",
      remedy: "check the port", errno: EPROTO)
  }

  static func refused(_ fault: BrokerGuard.Fault, at place: String) -> BrokerFailure {
    fault == .malformed
      ? notMQTT(place) : lost(place, "it sends what has no end", errno: EMSGSIZE)
  }

  /// What strerror(3) says, as a part of a sentence.
  static func words(of code: Int32) -> String {
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
