import Glibc

/// Why the bus, or a service on it, does not answer, judged by the error's name (sources E3).
public struct BusFailure: Error, Equatable, Sendable {
  /// What it comes down to.
  public enum Cause: Equatable, Sendable {
    /// libsystemd is not there: the library and its Debian package.
    case noLibrary(package: String)
    /// There is no bus: no socket, or no daemon behind it.
    case noBus
    /// No process owns the service's name; whether the bus would start it on demand.
    case notRunning(isActivatable: Bool)
    /// The bus's policy refuses.
    case accessDenied
    /// polkit refuses.
    case notAuthorized
    /// polkit would have to ask the user for authorization.
    case needsAuthorization
    /// There is no such object.
    case noObject
    /// The object lacks the method, interface or property.
    case unsupported
    /// No answer within 2 s.
    case timedOut
    /// The answer is no good: too large, or of other types than were agreed.
    case malformed
    /// Any other error of the service's.
    case other
  }

  /// What it comes down to.
  public var cause: Cause
  /// The error's D-Bus name; empty where none was given.
  public var name: String
  /// The error's own words, or ours.
  public var message: String
  /// The errno behind it, or 0.
  public var errno: Int32

  /// A failure.
  public init(_ cause: Cause, name: String = "", message: String, errno: Int32 = 0) {
    self.cause = cause
    self.name = name
    self.message = message
    self.errno = errno
  }

  /// Makes the failure of an error answer.
  public init(name: String, message: String) {
    self.init(
      Self.cause(of: name), name: name, message: message.isEmpty ? name : message,
      errno: Self.timeOuts.contains(name) ? ETIMEDOUT : 0)
  }

  /// No answer within the limit.
  package static func timedOut(_ place: String) -> BusFailure {
    BusFailure(.timedOut, message: "\(place) does not answer", errno: ETIMEDOUT)
  }

  static let isClosed = BusFailure(.noBus, message: "the connection to the bus is closed")

  private static let prefix = "org.freedesktop.DBus.Error."
  private static let timeOuts: Set<String> = [
    prefix + "NoReply", prefix + "Timeout", prefix + "TimedOut",
  ]

  private static func cause(of name: String) -> Cause {
    if timeOuts.contains(name) { return .timedOut }
    if name.hasSuffix("PolicyKit1.Error.NotAuthorized") { return .notAuthorized }
    // ModemManager asks polkit itself, and returns an error name of its own.
    if name.hasSuffix("ModemManager1.Error.Core.Unauthorized") { return .notAuthorized }
    if name.hasSuffix("ModemManager1.Error.Core.Unsupported") { return .unsupported }
    guard name.hasPrefix(prefix) else { return .other }
    return switch name.dropFirst(prefix.count) {
    case "AccessDenied": .accessDenied
    case "InteractiveAuthorizationRequired": .needsAuthorization
    case "ServiceUnknown", "NameHasNoOwner": .notRunning(isActivatable: false)
    case "UnknownObject": .noObject
    case "UnknownMethod", "UnknownInterface", "UnknownProperty", "NotSupported": .unsupported
    case "Disconnected", "NoServer": .noBus
    default: .other
    }
  }
}
