import ArgumentParser
import Gathering
import Recording

/// `gathered repair`: what can be saved of a damaged recording.
struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Mend a recording.",
    discussion: """
      Cuts off an unfinished block at the end, as a process that was killed leaves it. With --to \
      every whole block goes into a new file instead, and the recording is left alone. What was \
      lost is told with the bytes of the file.

      EXAMPLES
        gathered repair walk.gkr
        gathered repair walk.gkr --to mended.gkr
      """)

  @Option(help: ArgumentHelp("Write what is whole to a new file.", valueName: "file"))
  var to: String?

  @Argument(help: "The recording.")
  var file: String

  func run() throws {
    let repair: RecordingRepair
    do throws(SourceError) {
      repair =
        if let to {
          try RecordingRepair.repair(file, to: to)
        } else {
          try RecordingRepair.repair(file)
        }
    } catch {
      throw Failure(error)
    }
    try StandardOutput.write("\(repair.blocks) blocks kept, \(repair.lost.count) places lost\n")
    for problem in repair.lost {
      try StandardOutput.write("bytes \(problem.bytes): \(problem.reason)\n")
    }
  }
}
