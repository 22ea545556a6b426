public import Ground

/// What is wrong with the address of a broker, or a file it names (fleet 4).
public enum BrokerFault: Error, Equatable, Sendable {
  /// An argument makes no sense: which, and why.
  case invalid(String)
  /// A file is missing.
  case notFound(path: String)
  /// A file cannot be read.
  case unreadable(SystemError)
  /// A file has not what it should have.
  case malformed(path: String, reason: String)
  /// The system has nothing left to wait with.
  case system(SystemError)

  /// One clause saying why.
  public var reason: String {
    switch self {
    case .invalid(let reason): reason
    case .notFound(let path): "\(path) does not exist"
    case .unreadable(let error):
      "\(error.place) cannot be read: \(BrokerFailure.words(of: error.code))"
    case .malformed(let path, let reason): "\(path) \(reason)"
    case .system(let error): BrokerFailure.words(of: error.code)
    }
  }
}
