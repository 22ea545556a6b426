import Gathering
import Values

/// Why a request gets no answer, as the one who asked is told.
public struct Refusal: Error, Equatable, Sendable {
  /// The status codes of HTTP that there are.
  public enum Status: Int, Sendable {
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case conflict = 409
    case contentTooLarge = 413
    case rangeNotSatisfiable = 416
    case misdirected = 421
    case tooManyRequests = 429
    case fieldsTooLarge = 431
    case internalError = 500
    case notImplemented = 501
    case unavailable = 503
    case timeout = 504
  }

  /// The codes of errors, as C has them.
  public enum Code: String, Sendable {
    case invalidArgument = "INVALID_ARGUMENT"
    case parse = "PARSE"
    case permission = "PERMISSION"
    case notFound = "NOT_FOUND"
    case notSupported = "NOT_SUPPORTED"
    case exists = "EXISTS"
    case busy = "BUSY"
    case type = "TYPE"
    case closed = "CLOSED"
    case unavailable = "UNAVAILABLE"
    case io = "IO"
    case limit = "LIMIT"
    case timeout = "TIMEOUT"
    case notImplemented = "NOT_IMPLEMENTED"

    /// The status that goes with it, unless another is more exact.
    var status: Status {
      switch self {
      case .invalidArgument, .parse, .type: .badRequest
      case .permission: .forbidden
      case .notFound: .notFound
      case .notSupported, .exists, .busy: .conflict
      case .unavailable, .limit, .closed: .unavailable
      case .timeout: .timeout
      case .notImplemented: .notImplemented
      case .io: .internalError
      }
    }
  }

  /// The code of the error.
  public let code: Code
  /// The status it has in HTTP.
  public let status: Status
  /// What is wrong, in one sentence.
  public let message: String
  /// What to do about it; empty if nothing can be.
  public let remedy: String
  /// The error of the system behind it, or 0.
  public let errno: Int32
  /// Header fields that belong to it.
  var fields: [HeaderField]

  /// Makes a refusal.
  public init(
    _ code: Code, _ message: String, remedy: String = "", errno: Int32 = 0,
    status: Status? = nil, fields: [HeaderField] = []
  ) {
    self.code = code
    self.status = status ?? code.status
    self.message = message
    self.remedy = remedy
    self.errno = errno
    self.fields = fields
  }

  /// The refusal that an error of the library is.
  init(_ error: SourceError) {
    let code: Code
    var (message, remedy) = (error.message, "")
    switch error {
    case .invalidArgument, .wrongThread: code = .invalidArgument
    case .parse: code = .parse
    case .notFound: code = .notFound
    case .notSupported: code = .notSupported
    case .notImplemented: code = .notImplemented
    case .type: code = .type
    case .closed, .forked: code = .closed
    case .unavailable(let availability):
      code = .unavailable
      (message, remedy) = (availability.reason, availability.remedy)
    case .io: code = .io
    case .limit: code = .limit
    case .timeout: code = .timeout
    }
    self.init(code, message, remedy: remedy, errno: error.errno)
  }

  /// `{"error": {"code", "errno", "message", "remedy"}}`.
  var json: [UInt8] {
    let facts: ValueDictionary = [
      "code": .string("GKIT_ERROR_\(code.rawValue)"), "errno": .int(Int64(errno)),
      "message": .string(message), "remedy": .string(remedy),
    ]
    return JSONBody.bytes(["error": .dictionary(facts)])
  }
}
