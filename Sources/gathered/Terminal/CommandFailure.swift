import Gathering
import Glibc
import Values

/// The failure of a command: one sentence, the remedy, and the exit code.
struct CommandFailure: Error {
  /// One plain sentence without a full stop.
  let message: String
  /// One imperative line; may be empty.
  let remedy: String
  /// 1: it could not be done; 2: the command line was wrong.
  let exitCode: Int32
  /// Lines that say more; printed as they are.
  var details: [String] = []

  /// Makes a failure with a message; empty if everything was printed already.
  init(_ message: String, remedy: String = "", exitCode: Int32 = 1) {
    self.message = message
    self.remedy = remedy
    self.exitCode = exitCode
  }

  /// Makes a failure of an error of the library. An invalid argument is an error in the command
  /// line.
  init(_ error: SourceError, about subject: String = "") {
    let prefix = subject.isEmpty ? "" : "\(subject): "
    switch error {
    case .unavailable(let availability):
      self.init(availability, of: subject)
    case .invalidArgument:
      self.init(prefix + error.message, exitCode: 2)
    default:
      self.init(prefix + error.message)
    }
  }

  /// A source that cannot be used.
  init(_ availability: Availability, of subject: String) {
    let prefix = subject.isEmpty ? "" : "\(subject): "
    self.init(prefix + availability.explanation, remedy: availability.remedy)
  }

  /// A wrong command line.
  static func usage(_ message: String) -> CommandFailure { CommandFailure(message, exitCode: 2) }

  /// Prints it on standard error, unless the message is empty.
  func report() {
    if message.isEmpty { return }
    StandardError.write("gathered: \(message.printable)\n")
    if !remedy.isEmpty { StandardError.write("  remedy: \(remedy.printable)\n") }
    for line in details { StandardError.write("\(line.printable)\n") }
  }
}

extension Availability {
  /// The state in plain words and, where there is one, the detail.
  var explanation: String { detail.isEmpty ? state.clause : "\(state.clause) (\(detail))" }
}

extension String {
  /// The text without characters that control a terminal.
  var printable: String { Value.string(self).formatted() }
}
