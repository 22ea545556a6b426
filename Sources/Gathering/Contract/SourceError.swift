/// The errors of calls (sources 12). Absence is never one of these: it is a value's status, an
/// empty list or an availability.
public enum SourceError: Error, Equatable, Sendable {
  /// The caller's mistake; nothing changed.
  case invalidArgument(String)
  /// Malformed text; the message begins with the position.
  case parse(String)
  /// No such kind, instance, file or property; the message names the nearest ones.
  case notFound(String)
  /// The thing exists and cannot do this.
  case notSupported(String)
  /// The name is reserved for a later version.
  case notImplemented(String)
  /// The payload has the wrong type for the property.
  case type(String)
  /// The context is closed.
  case closed
  /// The process forked; the parent's objects are dead here.
  case forked
  /// The call would wait for itself.
  case wrongThread(String)
  /// The source cannot start, or keeps failing.
  case unavailable(Availability)
  /// The machine answered with an error that no state describes.
  case io(errno: Int32, place: String)
  /// A stated limit was reached.
  case limit(String)
  /// The time was up.
  case timeout(String)

  /// One sentence, with the remedy if there is one.
  public var message: String {
    switch self {
    case .invalidArgument(let text), .parse(let text), .notFound(let text),
      .notSupported(let text), .notImplemented(let text), .type(let text), .wrongThread(let text),
      .limit(let text), .timeout(let text):
      text
    case .closed: "the context is closed"
    case .forked: "the process forked; open a new context in the child"
    case .unavailable(let availability):
      availability.remedy.isEmpty
        ? availability.reason : "\(availability.reason); \(availability.remedy)"
    case .io(let errno, let place): "\(place): \(SystemText.message(of: errno))"
    }
  }

  /// The errno behind it, or 0.
  public var errno: Int32 {
    switch self {
    case .unavailable(let availability): availability.errno
    case .io(let errno, _): errno
    default: 0
    }
  }
}
