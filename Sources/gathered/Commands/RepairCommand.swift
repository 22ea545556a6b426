import ArgumentParser
import Gathering
import Glibc
import Ground
import Machine
import Recording

/// `gathered repair`: what can be saved of a damaged recording.
struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Mend a recording.",
    discussion: """
      Cuts off an unfinished block at the end, as a process that was killed leaves it, and takes \
      out what is damaged anywhere else. Whole blocks stay as they are; what was lost becomes an \
      event 'lost' of the recording, and is told with the bytes of the file as it was. With --to \
      all that goes into a new file instead, and the recording is left alone. Ctrl-C leaves the \
      recording as it was, and no new file.

      EXAMPLES
        gathered repair walk.gkr
        gathered repair walk.gkr --to mended.gkr
      """)

  @Option(help: ArgumentHelp("Write what is whole to a new file.", valueName: "file"))
  var to: String?

  @Argument(help: "The recording.")
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
    let progress = Monitor(ProgressBar("mending"))
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
      throw CommandFailure("\(file) was not mended; it is as it was")
    } catch {
      throw CommandFailure(error)
    }
  }
}
