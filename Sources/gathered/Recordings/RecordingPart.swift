import ArgumentParser
import CommandOptions
import Gathering
import Recording

/// Which part of a recording a command is about.
struct RecordingPart: ParsableArguments {
  @Option(help: ArgumentHelp("Begin there.", valueName: "moment"))
  var from: RecordedMoment?

  @Option(help: ArgumentHelp("End before this time.", valueName: "moment"))
  var to: RecordedMoment?

  @Argument(help: "The recording.", completion: .recording)
  var file: String

  @Argument(
    help: ArgumentHelp("Sources or properties of the recording.", valueName: "id"),
    completion: Completion.ids.kind)
  var ids: [String] = []
}

extension RecordingParts {
  /// Opens a recording. Throws a failure.
  static func open(_ path: String) throws(CommandFailure) -> RecordingParts {
    do throws(SourceError) {
      return try RecordingParts(path)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Prints the unreadable parts on standard error.
  func report() {
    for problem in problems {
      let place = problem.bytes.map { ": bytes \($0)" } ?? ""
      CommandFailure("\(problem.path)\(place): \(problem.reason)").report()
    }
  }
}
