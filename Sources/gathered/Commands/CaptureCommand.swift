import ArgumentParser
import GatheredKit
import Gathering
import Glibc
import Ground
import Machine
import SourceKinds

/// `gathered capture`: the files of a machine, for a test on another one.
struct CaptureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Copy the files this machine is read from.",
    discussion: """
      Reads every kind once and copies each file, folder and link it asked for below DIR, so that \
      '--context local:root=DIR' reads there what is read here: a bug report that is a test. What \
      daemons, radios and sound cards tell is in no file, and not captured.

      Personal files (serial numbers, hardware addresses, the machine id, the host's name) are \
      left out, and personal words in others blanked, unless --allow names their category. Look \
      through DIR before you hand it on: mount points and labels are copied as they are.

      DIR must not be there, or be empty; only you can read it. Ctrl-C leaves nothing behind.

      EXAMPLES
        gathered capture my-laptop
        gathered read battery --context local:root=my-laptop
        tar czf my-laptop.tar.gz my-laptop
      """)

  @OptionGroup var options: ContextOptions

  @Argument(help: ArgumentHelp("The folder to be made.", valueName: "dir"))
  var folder: String

  func run() throws {
    let signals = try SignalInbox.open(withTerminal: false)
    let allow = try options.allowance()
    let machine = try Machine.withFiles(of: options.context)
    try check()
    let capture = try read(machine, allow, signals)
    let isWhole: Bool
    do throws(SystemError) {
      isWhole = try capture.tree.write(to: folder) { !Self.isEnding(signals) }
    } catch {
      throw failure(error)
    }
    if !isWhole { throw CommandFailure("\(folder) was given up; nothing is left of it") }
    try report(capture)
  }

  /// Says early what would fail in the end.
  private func check() throws(CommandFailure) {
    var status = stat()
    guard lstat(folder, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandFailure(
        "\(folder) is there already, and no folder", remedy: "name another folder")
    }
  }

  private func failure(_ error: SystemError) -> CommandFailure {
    if error.code == ENOTEMPTY {
      return CommandFailure("\(folder) is not empty", remedy: "name a folder that is not there")
    }
    return CommandFailure("\(error.place): \(SystemText.message(of: error.code))")
  }

  /// A sensor or a mount may keep silent for long: the reading is waited for, and can be given up.
  private func read(
    _ machine: Machine, _ allow: Allowance, _ signals: SignalInbox
  ) throws -> MachineCapture {
    let outcome = Monitor<Result<MachineCapture, SourceError>?>(nil)
    let thread = try WorkerThread(named: "gathered-read") {
      let found: Result<MachineCapture, SourceError>
      do throws(SourceError) {
        found = .success(try MachineCapture(of: machine, allow: allow))
      } catch {
        found = .failure(error)
      }
      outcome.withLock { $0 = found }
      outcome.signalAll()
    }
    thread.detach()
    while true {
      let moment = Monitor<Void>.moment(after: 50_000_000)
      if let found = outcome.wait(until: moment, for: { $0 }) { return try found.get() }
      if Self.isEnding(signals) {
        throw CommandFailure("\(folder) was given up; nothing was written")
      }
    }
  }

  private static func isEnding(_ signals: SignalInbox) -> Bool {
    signals.takeAll().contains(where: SignalInbox.ending.contains)
  }

  private func report(_ capture: MachineCapture) throws {
    let tree = capture.tree
    var lines = ["\(tree.files.count) files of \(tree.size) bytes in \(folder.printable)"]
    if !capture.withheld.isEmpty {
      lines.append("\(capture.withheld.count) personal paths left out; --allow brings them")
    }
    lines += capture.unread.sorted().map { "not readable: \($0.printable)" }
    try StandardOutput.write(lines.joined(separator: "\n") + "\n")
  }
}
