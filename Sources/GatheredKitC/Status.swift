import CGatheredKit
import CLinux
import DataSources
import Gathering
import Patches
import Values

/// What an entry answers when it fails: a status and one sentence for `gkit_last_error`.
struct Failure: Error {
  let status: gkit_status
  let errno: Int32
  let message: String

  init(_ status: gkit_status, _ message: String, errno: Int32 = 0) {
    self.status = status
    self.errno = errno
    self.message = message
  }

  /// What was asked for takes more memory than there is; nothing has changed.
  static let noMemory = Failure(Status.noMemory, "out of memory")

  /// Whether it is for want of memory, or beyond a bound.
  var isTooMuch: Bool { status == Status.noMemory || status == Status.limit }

  /// A parameter that must not be NULL was.
  static func null(_ parameter: String) -> Failure {
    Failure(Status.invalidArgument, "\(parameter) is NULL")
  }
}

/// The statuses of the header as numbers of their own type.
enum Status {
  static let ok = gkit_status(GKIT_OK)
  static let invalidArgument = gkit_status(GKIT_ERROR_INVALID_ARGUMENT)
  static let notFound = gkit_status(GKIT_ERROR_NOT_FOUND)
  static let exists = gkit_status(GKIT_ERROR_EXISTS)
  static let notSupported = gkit_status(GKIT_ERROR_NOT_SUPPORTED)
  static let unavailable = gkit_status(GKIT_ERROR_UNAVAILABLE)
  static let permission = gkit_status(GKIT_ERROR_PERMISSION)
  static let busy = gkit_status(GKIT_ERROR_BUSY)
  static let timeout = gkit_status(GKIT_ERROR_TIMEOUT)
  static let closed = gkit_status(GKIT_ERROR_CLOSED)
  static let io = gkit_status(GKIT_ERROR_IO)
  static let cancelled = gkit_status(GKIT_ERROR_CANCELLED)
  static let parse = gkit_status(GKIT_ERROR_PARSE)
  static let validation = gkit_status(GKIT_ERROR_VALIDATION)
  static let type = gkit_status(GKIT_ERROR_TYPE)
  static let noMemory = gkit_status(GKIT_ERROR_NO_MEMORY)
  static let wrongThread = gkit_status(GKIT_ERROR_WRONG_THREAD)
  static let forked = gkit_status(GKIT_ERROR_FORKED)
  static let limit = gkit_status(GKIT_ERROR_LIMIT)
  static let notImplemented = gkit_status(GKIT_ERROR_NOT_IMPLEMENTED)

  private static let names: [gkit_status: StaticString] = [
    0: "GKIT_OK", -1: "GKIT_ERROR", -2: "GKIT_ERROR_INVALID_ARGUMENT", -3: "GKIT_ERROR_NOT_FOUND",
    -4: "GKIT_ERROR_EXISTS", -5: "GKIT_ERROR_NOT_SUPPORTED", -6: "GKIT_ERROR_UNAVAILABLE",
    -7: "GKIT_ERROR_PERMISSION", -8: "GKIT_ERROR_BUSY", -9: "GKIT_ERROR_TIMEOUT",
    -10: "GKIT_ERROR_CANCELLED", -11: "GKIT_ERROR_CLOSED", -12: "GKIT_ERROR_NO_DATA",
    -13: "GKIT_ERROR_IO", -14: "GKIT_ERROR_PARSE", -15: "GKIT_ERROR_VALIDATION",
    -16: "GKIT_ERROR_TYPE", -17: "GKIT_ERROR_NO_MEMORY", -18: "GKIT_ERROR_WRONG_THREAD",
    -19: "GKIT_ERROR_FORKED", -20: "GKIT_ERROR_LIMIT", -21: "GKIT_ERROR_NOT_IMPLEMENTED",
    -100: "GKIT_ERROR_USER",
  ]

  /// The constant's name, or words for a number that has none.
  static func name(of status: gkit_status) -> StaticString {
    names[status] ?? "(a status without a name)"
  }

  /// The constant's name, or the number where there is none, for sentences.
  static func word(of status: gkit_status) -> String {
    names[status].map { "\($0)" } ?? String(status)
  }

  /// Sets the calling thread's last error and gives its status.
  @discardableResult
  static func fail(_ failure: Failure) -> gkit_status {
    // Logged first: what the handler calls may fail as well.
    HostLog.write(Int32(GKIT_LOG_DEBUG), "call") {
      "\(name(of: failure.status)): \(failure.message)"
    }
    var message = failure.message
    message.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { characters in
        clinux_set_last_error(
          failure.status, failure.errno, characters.baseAddress, characters.count)
      }
    }
    return failure.status
  }
}

extension Failure {
  /// A contract's error as C knows it (sources 12).
  init(_ error: SourceError) {
    self.init(error.status, error.message, errno: error.errno)
  }
}

extension Failure {
  /// Any error that a floor below throws, as C knows it.
  fileprivate init(any error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as SourceError: self.init(error)
    case let error as PatchError: self.init(error)
    case let error as DataSourceError: self.init(error)
    case let error as OptionError: self.init(Status.invalidArgument, error.message)
    case let error as ParseError: self.init(Status.parse, error.description)
    case let error as UnitError: self.init(Status.invalidArgument, error.description)
    case JSONReadError.parse(let detail): self.init(Status.parse, detail.description)
    case JSONReadError.limit(let detail): self.init(Status.limit, detail.description)
    case JSONWriteError.notFinite:
      self.init(Status.type, JSONWriteError.notFinite.description)
    case JSONWriteError.tooDeep: self.init(Status.limit, JSONWriteError.tooDeep.description)
    default: self.init(gkit_status(GKIT_ERROR), "\(error)")
    }
  }
}

extension SourceError {
  fileprivate var status: gkit_status {
    switch self {
    case .invalidArgument: Status.invalidArgument
    case .parse: Status.parse
    case .notFound: Status.notFound
    case .notSupported: Status.notSupported
    case .notImplemented: Status.notImplemented
    case .type: Status.type
    case .closed: Status.closed
    case .forked: Status.forked
    case .wrongThread: Status.wrongThread
    case .io: Status.io
    case .limit: Status.limit
    case .timeout: Status.timeout
    case .unavailable(let availability): availability.status
    }
  }
}

extension Availability {
  fileprivate var status: gkit_status {
    switch state {
    case .requiresPermission, .permissionDenied, .restrictedByPolicy: Status.permission
    case .busy: Status.busy
    default: errno == SystemText.timedOut ? Status.timeout : Status.unavailable
    }
  }
}

/// Runs the body of an entry: its error becomes the status and the thread's last error.
func entry(_ body: () throws -> Void) -> gkit_status {
  do {
    try body()
    return Status.ok
  } catch {
    return Status.fail(Failure(any: error))
  }
}

/// The same for an entry that counts: the number, or the negative status.
func counting<Number: FixedWidthInteger & SignedInteger>(_ body: () throws -> Number) -> Number {
  var number: Number = 0
  let status = entry { number = try body() }
  return status < 0 ? Number(truncatingIfNeeded: status) : number
}

/// The same for an entry that answers a pointer: NULL when it fails.
func answering<Answer>(_ body: () throws -> Answer) -> Answer? {
  var answer: Answer?
  _ = entry { answer = try body() }
  return answer
}
