import CGatheredKit
import DataSources
import Gathering
import Glibc
import Values

extension DataSourceError.Code {
  /// As C knows it (data sources 5).
  var status: gkit_status {
    switch self {
    case .unknown: gkit_status(GKIT_ERROR)
    case .notFound: Status.notFound
    case .illegalArgument: Status.invalidArgument
    case .notImplemented: Status.notImplemented
    case .notValid: Status.validation
    case .failed: Status.io
    case .queryNotSupported: Status.notSupported
    case .serialization: Status.parse
    case .timeout: Status.timeout
    case .cancelled: Status.cancelled
    }
  }
}

extension DataSourceError {
  /// What a status of the host says; one that is no code of ours keeps its number.
  init(status: gkit_status, _ message: String? = nil) {
    let code = Code.allCases.first { $0.status == status }
    let message = message ?? "it answered \(Status.word(of: status))"
    self.init(code ?? .unknown, message, foreign: code == nil ? status : 0)
  }

  /// As C knows it.
  var status: gkit_status {
    if foreign < 0 { return foreign }
    return code == .failed && errno == ENOMEM ? Status.noMemory : code.status
  }

  /// For `gkit_future_get_error` (C API R7).
  var dictionary: ValueDictionary {
    [
      "code": .int(Int64(status)), "errno": .int(Int64(errno)), "message": .string(message),
      "missing": .list(missing.map { .string($0.key) }),
      "completed": .list(completed.map { .string($0) }),
      "causes": .list(causes.map { .dictionary($0.dictionary) }),
    ]
  }

  /// What `gkit_future_get_error` says of a success.
  static var none: ValueDictionary {
    [
      "code": .int(0), "errno": .int(0), "message": .string(""), "missing": .list([]),
      "completed": .list([]), "causes": .list([]),
    ]
  }

  /// Calls with this error as C sees it.
  func lend<Answer>(_ body: (UnsafePointer<gkit_error>) -> Answer) -> Answer {
    let arena = Arena()
    var error = gkit_error(code: status, sys_errno: errno, message: arena.text(message))
    return withExtendedLifetime(arena) { body(&error) }
  }
}

extension Failure {
  /// An error of data sources as C knows it.
  init(_ error: DataSourceError) {
    self.init(error.status, error.message, errno: error.errno)
  }
}
