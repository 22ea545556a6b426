import Gathering
import Values

/// Why the server does not start: one sentence, the remedy, and the exit code.
struct StartFailure: Error {
  let message: String
  var remedy = ""
  var exitCode: Int32 = 1
  /// Lines that say more.
  var details: [String] = []

  /// Makes a failure with a message.
  init(_ message: String, remedy: String = "", exitCode: Int32 = 1, details: [String] = []) {
    (self.message, self.remedy, self.exitCode) = (message, remedy, exitCode)
    self.details = details
  }

  /// The failure that an error of the library is.
  init(_ error: SourceError) {
    if case .invalidArgument = error { exitCode = 2 }
    if case .unavailable(let availability) = error {
      (message, remedy) = (availability.reason, availability.remedy)
    } else {
      message = error.message
    }
  }

  /// Prints it on standard error.
  func report(to log: ServerLog) {
    for line in details { log.line(line) }
    log.note(Value.string(message).formatted())
    if !remedy.isEmpty { log.line("  remedy: \(Value.string(remedy).formatted())") }
  }
}
