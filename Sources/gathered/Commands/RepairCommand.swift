import ArgumentParser
import CommandOptions
import Gathering
import Glibc
import Ground
import Machine
import Recording

/// `gathered repair`: repairs a damaged recording.
struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Repair a recording.",
    discussion: """
      Removes an unfinished block at the end, which a killed process leaves behind, and damaged \
      parts anywhere else. Whole blocks are not changed. Each loss is recorded as an event 'lost' \
      and printed with its byte range in the original file. With --to the result is written to a \
      new file and the recording is not changed. After Ctrl-C the recording is unchanged, and \
      there is no new file.

      EXAMPLES
        gathered repair walk.gkr
        gathered repair walk.gkr --to mended.gkr
      """)

  @Option(help: ArgumentHelp("Write the result to a new file.", valueName: "file"))
  var to: String?

  @Argument(help: "The recording.", completion: .recording)
  var file: String

  func run() throws {
    let signals = try SignalInbox.open(withTerminal: false)
    let repair = try mend(signals)
    try StandardOutput.write("\(repair.blocks) blocks kept, \(repair.lost.count) places lost\n")
    for problem in repair.lost {
      try StandardOutput.write("bytes \(problem.bytes): \(problem.reason)\n")
    }
  }

  /// Everything is read once, to look for damage, and once more for a copy.
  private func mend(_ signals: SignalInbox) throws -> RecordingRepair {
    let progress = Monitor(ProgressBar("repairing"))
    let rounds = to == nil ? 1 : 2
    let storage = WatchedStorage { read, size in
      progress.withLock { $0.show(read, of: size * rounds) }
      return !signals.takeAll().contains(where: SignalInbox.ending.contains)
    }
    defer { progress.withLock { $0.clear() } }
    do throws(SourceError) {
      guard let to else { return try RecordingRepair.repair(file, in: storage) }
      return try RecordingRepair.repair(file, to: to, in: storage)
    } catch .io(ECANCELED, _) {
      if let to, storage.hasMadeFile { try? storage.remove(to) }
      throw CommandFailure("\(file) was not repaired; it is unchanged")
    } catch {
      throw CommandFailure(error)
    }
  }
}
