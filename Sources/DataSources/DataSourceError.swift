public import Ground

/// Why a call to a data source has no answer (data sources 5).
///
/// Two errors are equal when their codes are. A message never holds a stored value.
public struct DataSourceError: Error, Sendable {
  /// The kinds of error; their numbers never change.
  public enum Code: Int32, Sendable, CaseIterable {
    /// Anything else.
    case unknown = 0
    /// There is no such entry, or none of this shape or type.
    case notFound = 1
    /// The caller's mistake; nothing changed.
    case illegalArgument = 2
    /// The data source does not have this verb.
    case notImplemented = 3
    /// A value did not pass a check.
    case notValid = 4
    /// The system, a file or a service refused.
    case failed = 5
    /// The verb does not take this query.
    case queryNotSupported = 6
    /// What is stored cannot be read, or a value cannot be written.
    case serialization = 7
    /// The time was up.
    case timeout = 8
    /// Cancelled before there was a result.
    case cancelled = 9
  }

  /// What kind of error it is.
  public let code: Code
  private let details: Details

  /// An error of a code, with one sentence for people.
  public init(
    _ code: Code, _ message: String = "", missing: [EntryID] = [], completed: [String] = [],
    errno: Int32 = 0, causes: [DataSourceError] = []
  ) {
    self.init(
      code, message, missing: missing, completed: completed, errno: errno, causes: causes,
      foreign: 0)
  }

  /// The same with the host's own number of an error that has no code here.
  package init(
    _ code: Code, _ message: String, missing: [EntryID] = [], completed: [String] = [],
    errno: Int32 = 0, causes: [DataSourceError] = [], foreign: Int32
  ) {
    self.code = code
    details = Details(
      message: message.isEmpty ? code.message : message, missing: missing, completed: completed,
      errno: errno, causes: causes, foreign: foreign)
  }

  /// There is no memory for what was asked.
  @usableFromInline package static let noMemory = DataSourceError(
    .failed, "out of memory", errno: SystemError.noMemory.code)

  /// Whether there was no memory for it.
  var isLackOfMemory: Bool { code == .failed && errno == SystemError.noMemory.code }

  /// What the system answered, as `failed` with its errno.
  public init(_ error: SystemError) {
    self.init(.failed, "\(error.place): errno \(error.code)", errno: error.code)
  }

  /// Any error: one of these as it is, one of the system as `failed`, another as `unknown`.
  public init(_ error: any Error) {
    switch error {
    case let error as DataSourceError: self = error
    case let error as SystemError: self.init(error)
    default: self.init(.unknown, "\(error)")
    }
  }

  /// One plain sentence.
  public var message: String { details.message }
  /// The ids that were not found, each once, in the order they were asked for.
  public var missing: [EntryID] { details.missing }
  /// The stores that had already done their part.
  public var completed: [String] { details.completed }
  /// The errno behind it, or 0.
  public var errno: Int32 { details.errno }
  /// The number of an error from outside, or 0.
  package var foreign: Int32 { details.foreign }
  /// What led to it.
  public var causes: [DataSourceError] { details.causes }

  /// The same error with other stores completed or other causes.
  package func with(
    completed: [String]? = nil, causes: [DataSourceError]? = nil
  ) -> DataSourceError {
    DataSourceError(
      code, message, missing: missing, completed: completed ?? self.completed, errno: errno,
      causes: causes ?? self.causes, foreign: foreign)
  }
}

extension DataSourceError: Equatable {
  /// Whether the codes are the same.
  public static func == (left: DataSourceError, right: DataSourceError) -> Bool {
    left.code == right.code
  }
}

extension DataSourceError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

extension DataSourceError.Code {
  /// The name of the code, for people.
  package var word: String {
    switch self {
    case .unknown: "unknown"
    case .notFound: "notFound"
    case .illegalArgument: "illegalArgument"
    case .notImplemented: "notImplemented"
    case .notValid: "notValid"
    case .failed: "failed"
    case .queryNotSupported: "queryNotSupported"
    case .serialization: "serialization"
    case .timeout: "timeout"
    case .cancelled: "cancelled"
    }
  }

  /// What is said when there is nothing more to say.
  fileprivate var message: String {
    switch self {
    case .unknown: "something went wrong"
    case .notFound: "there is no such entry"
    case .illegalArgument: "the arguments do not fit together"
    case .notImplemented: "the data source does not have this verb"
    case .notValid: "the value is not valid"
    case .failed: "the store failed"
    case .queryNotSupported: "the verb does not take this query"
    case .serialization: "the value cannot be read or written"
    case .timeout: "the time was up"
    case .cancelled: "the call was cancelled"
    }
  }
}

/// What most errors need not carry about: an error is as small as a code and a reference.
private final class Details: Sendable {
  let message: String
  let missing: [EntryID]
  let completed: [String]
  let errno: Int32
  let causes: [DataSourceError]
  let foreign: Int32

  init(
    message: String, missing: [EntryID], completed: [String], errno: Int32,
    causes: [DataSourceError], foreign: Int32
  ) {
    self.message = message
    self.missing = missing
    self.completed = completed
    self.errno = errno
    self.causes = causes
    self.foreign = foreign
  }
}
